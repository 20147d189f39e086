package io.gpureclaimer.deviceplugin.kubelet;

import java.nio.file.Path;
import java.util.Arrays;
import v1.Api.PodResources;

/** A fake kubelet as a process of its own, for measurements and for looking at things by hand. */
public final class FakeKubeletProgram {
  private FakeKubeletProgram() {}

  /**
   * Listens until it is stopped.
   *
   * @param args the socket of pod-resources; a folder of its own for the sockets of device plugins,
   *     or nothing; then for each pod {@code NAMESPACE/NAME=ID,ID…}
   */
  public static void main(String[] args) throws InterruptedException {
    if (!args[1].isEmpty()) {
      var devices = new FakeDeviceManager(Path.of(args[1]));
      Runtime.getRuntime().addShutdownHook(new Thread(devices::close));
      devices.start();
    }
    var kubelet = new FakeKubelet(Path.of(args[0]));
    kubelet.run(
        Arrays.stream(args, 2, args.length)
            .map(FakeKubeletProgram::pod)
            .toArray(PodResources[]::new));
    Runtime.getRuntime().addShutdownHook(new Thread(kubelet::close));
    kubelet.start();
    System.out.println("listening at " + args[0]);
    Thread.currentThread().join();
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
