package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.exporter.collect.InstanceDevice;
import io.gpureclaimer.nvml.MigDevice;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Into which instances MIG has divided a GPU, as far as the driver tells.
 *
 * @param instances in order of their ids
 */
record Division(List<InstanceDevice> instances) {
  static final Division NONE = new Division(List.of());

  Division {
    instances = List.copyOf(instances);
  }

  /** The driver lists compute instances; several may share one GPU instance, and its memory. */
  static Division of(GpuUuid parent, List<MigDevice> devices) {
    return new Division(
        devices.stream()
            .collect(Collectors.groupingBy(MigDevice::instance, TreeMap::new, Collectors.toList()))
            .values()
            .stream()
            .map(parts -> instance(parent, parts))
            .toList());
  }

  private static InstanceDevice instance(GpuUuid parent, List<MigDevice> parts) {
    var first = parts.getFirst();
    var uuids = parts.stream().map(MigDevice::uuid).toList();
    return new InstanceDevice(
        first.handle(), new MigInstance(parent, first.instance(), first.profile(), uuids));
  }

  /** Without the handles, which tell nothing: the driver may use one again. */
  List<MigInstance> parts() {
    return instances.stream().map(InstanceDevice::instance).toList();
  }

  /** Whether this may be the other one, of which some devices are not told. */
  boolean isWithin(Division other) {
    return parts().stream()
        .allMatch(
            part ->
                other
                    .part(part.id())
                    .filter(whole -> whole.profile().equals(part.profile()))
                    .filter(whole -> whole.uuids().containsAll(part.uuids()))
                    .isPresent());
  }

  /** The instances that the other one lacks. */
  List<MigInstance> beside(Division other) {
    return parts().stream().filter(part -> other.part(part.id()).isEmpty()).toList();
  }

  /** The same instances, with all the devices that the other one knows in them. */
  List<InstanceDevice> namedAs(Division other) {
    return instances.stream()
        .map(
            one ->
                new InstanceDevice(
                    one.handle(), other.part(one.instance().id()).orElse(one.instance())))
        .toList();
  }

  private Optional<MigInstance> part(int id) {
    return parts().stream().filter(part -> part.id() == id).findFirst();
  }
}
