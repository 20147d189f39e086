package io.gpureclaimer.deviceplugin.kubelet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import v1.Api.PodResources;

/** A fake kubelet as a process of its own, for measurements and for looking at things by hand. */
public final class FakeKubeletProgram {
  private static final Duration PAUSE = Duration.ofMillis(10);

  private FakeKubeletProgram() {}

  /**
   * Listens until it is stopped. Prints how many devices are offered whenever that changes, and the
   * CDI devices that a pod gets when its devices are first offered.
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
    List<Pod> pods = Arrays.stream(args, 2, args.length).map(FakeKubeletProgram::pod).toList();
    kubelet.run(
        pods.stream()
            .map(
                pod ->
                    FakeKubelet.pod(pod.namespace(), pod.name(), pod.ids().toArray(String[]::new)))
            .toArray(PodResources[]::new));
    Runtime.getRuntime().addShutdownHook(new Thread(kubelet::close));
    kubelet.start();
    System.out.println("listening at " + args[0]);
    if (devices.isPresent()) {
      printOffers(devices.get(), new ArrayList<>(pods));
    }
    Thread.currentThread().join();
  }

  private static void printOffers(FakeDeviceManager devices, List<Pod> pending)
      throws InterruptedException {
    for (Map<String, Integer> before = Map.of(); ; Thread.sleep(PAUSE)) {
      var offered = new TreeMap<String, Integer>();
      devices.resources().forEach(name -> offered.put(name, devices.capacity(name)));
      if (!offered.equals(before)) {
        System.out.println("devices: " + offered);
        before = offered;
      }
      for (String resource : offered.keySet()) {
        List<Pod> servable =
            pending.stream()
                .filter(pod -> devices.healthy(resource).containsAll(pod.ids()))
                .toList();
        servable.forEach(pod -> allocate(devices, resource, pod));
        pending.removeAll(servable);
      }
    }
  }

  private static void allocate(FakeDeviceManager devices, String resource, Pod pod) {
    devices
        .allocate(resource, pod.ids())
        .getContainerResponses(0)
        .getCdiDevicesList()
        .forEach(
            device -> System.out.println("allocated to " + pod.name() + ": " + device.getName()));
  }

  private record Pod(String namespace, String name, List<String> ids) {}

  private static Pod pod(String text) {
    int slash = text.indexOf('/');
    int equals = text.indexOf('=');
    if (slash < 0 || equals < slash) {
      throw new IllegalArgumentException("a pod must be NAMESPACE/NAME=ID,ID…, was " + text);
    }
    return new Pod(
        text.substring(0, slash),
        text.substring(slash + 1, equals),
        List.of(text.substring(equals + 1).split(",", -1)));
  }
}
