package io.gpureclaimer.deviceplugin.kubelet;

import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import v1beta1.Api.ContainerAllocateResponse;
import v1beta1.Api.Device;

/**
 * A kubelet that writes down what device plugins offer to it, and what containers would get: to
 * compare two plugins with each other.
 */
public final class OfferReport {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration CALM = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final FakeDeviceManager kubelet;

  private OfferReport(FakeDeviceManager kubelet) {
    this.kubelet = kubelet;
  }

  /**
   * Prints {@code listening}, waits until nothing more is offered, and prints the report.
   *
   * @param args the folder in which device plugins register
   */
  public static void main(String[] args) throws InterruptedException {
    try (var kubelet = new FakeDeviceManager(Path.of(args[0]))) {
      kubelet.start();
      System.out.println("listening");
      var report = new OfferReport(kubelet);
      report.await();
      report.lines().forEach(System.out::println);
    }
  }

  /** Until what is offered has been the same for a while. */
  private void await() throws InterruptedException {
    Map<String, ?> before = Map.of();
    Duration calm = Duration.ZERO;
    for (Duration waited = Duration.ZERO;
        waited.compareTo(PATIENCE) < 0 && calm.compareTo(CALM) < 0;
        waited = waited.plus(PAUSE)) {
      Thread.sleep(PAUSE);
      var now = kubelet.healthy();
      calm = !now.isEmpty() && now.equals(before) ? calm.plus(PAUSE) : Duration.ZERO;
      before = now;
    }
  }

  private Stream<String> lines() {
    return new TreeSet<>(kubelet.resources()).stream().flatMap(this::resource);
  }

  private Stream<String> resource(String name) {
    List<Device> devices = new ArrayList<>(kubelet.lists(name).getLast().getDevicesList());
    devices.sort(Comparator.comparing(Device::getID));
    List<String> ids = devices.stream().map(Device::getID).toList();
    return Stream.of(
            Stream.of(name),
            devices.stream().map(device -> "  " + device.getID() + ' ' + device.getHealth()),
            Stream.of(1, 3)
                .filter(size -> size <= ids.size())
                .flatMap(n -> container(name, ids, n)))
        .flatMap(part -> part);
  }

  private Stream<String> container(String resource, List<String> ids, int size) {
    List<String> asked = ids.subList(0, size);
    String who = "  a container with " + asked;
    try {
      var got = kubelet.allocate(resource, asked).getContainerResponses(0);
      return Stream.concat(
          Stream.of(who + " gets"), given(got).sorted().map(line -> "    " + line));
    } catch (StatusRuntimeException _) {
      return Stream.of(who + " is refused");
    }
  }

  private static Stream<String> given(ContainerAllocateResponse got) {
    return Stream.of(
            got.getEnvsMap().entrySet().stream()
                .map(env -> "env " + env.getKey() + '=' + sorted(env.getValue())),
            got.getAnnotationsMap().values().stream().map(it -> "annotation " + sorted(it)),
            got.getMountsList().stream()
                .map(it -> "mount " + it.getHostPath() + " at " + it.getContainerPath()),
            got.getDevicesList().stream()
                .map(it -> "device " + it.getHostPath() + ' ' + it.getPermissions()),
            got.getCdiDevicesList().stream().map(it -> "CDI " + it.getName()))
        .flatMap(part -> part);
  }

  private static String sorted(String list) {
    return Arrays.stream(list.split(",", -1)).sorted().collect(Collectors.joining(","));
  }
}
