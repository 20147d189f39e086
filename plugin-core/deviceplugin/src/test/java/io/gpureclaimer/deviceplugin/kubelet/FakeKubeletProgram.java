package io.gpureclaimer.deviceplugin.kubelet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import v1.Api.PodResources;

/** A fake kubelet as a process of its own, for measurements and for looking at things by hand. */
public final class FakeKubeletProgram {
  private static final Duration PAUSE = Duration.ofMillis(10);

  private FakeKubeletProgram() {}

  /**
   * Listens until it is stopped, and prints how many devices are offered whenever that changes.
   *
   * @param args the socket of pod-resources; a folder of its own for the sockets of device plugins,
   *     or nothing; then for each pod {@code NAMESPACE/NAME=ID,ID…}
   */
  public static void main(String[] args) throws InterruptedException {
    Optional<FakeDeviceManager> devices =
        Optional.of(args[1]).filter(it -> !it.isEmpty()).map(Path::of).map(FakeDeviceManager::new);
    devices.ifPresent(
        manager -> {
          Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
          manager.start();
        });
    var kubelet = new FakeKubelet(Path.of(args[0]));
    kubelet.run(
        Arrays.stream(args, 2, args.length)
            .map(FakeKubeletProgram::pod)
            .toArray(PodResources[]::new));
    Runtime.getRuntime().addShutdownHook(new Thread(kubelet::close));
    kubelet.start();
    System.out.println("listening at " + args[0]);
    if (devices.isPresent()) {
      printOffers(devices.get());
    }
    Thread.currentThread().join();
  }

  private static void printOffers(FakeDeviceManager devices) throws InterruptedException {
    for (Map<String, Integer> before = Map.of(); ; Thread.sleep(PAUSE)) {
      var offered = new TreeMap<String, Integer>();
      devices.resources().forEach(name -> offered.put(name, devices.capacity(name)));
      if (!offered.equals(before)) {
        System.out.println("devices: " + offered);
        before = offered;
      }
    }
  }

  private static PodResources pod(String text) {
    int slash = text.indexOf('/');
    int equals = text.indexOf('=');
    if (slash < 0 || equals < slash) {
      throw new IllegalArgumentException("a pod must be NAMESPACE/NAME=ID,ID…, was " + text);
    }
    return FakeKubelet.pod(
        text.substring(0, slash),
        text.substring(slash + 1, equals),
        text.substring(equals + 1).split(",", -1));
  }
}
