package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.device.MigInstance;
import io.gpureclaimer.core.nvml.MigDevice;
import io.gpureclaimer.core.nvml.NvmlResult.Failed;
import io.gpureclaimer.core.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.InstanceDevice;
import io.gpureclaimer.exporter.collect.Readings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one GPU. They are listed again when the driver says that they have changed, when
 * one of them did not answer, and now and then: without privileges the driver does not tell every
 * change. When they are others than before, or may be, what was measured of the old ones is
 * forgotten, so that nothing of theirs is told of those that bear their numbers now. Confined to
 * the driver thread that takes the GPU's turn.
 */
final class Instances {
  private static final Duration LISTED_AGAIN_AFTER = Duration.ofSeconds(10);

  private final Predicate<GpuUuid> hasChanged;
  private final LongSupplier nanoTime;

  private List<InstanceDevice> known = List.of();
  private @Nullable Long listed;
  private boolean canBeDivided = true;

  /**
   * @param hasChanged whether the driver has said, since it was last asked here, that this GPU is
   *     divided anew
   * @param nanoTime a clock that nobody sets, in nanoseconds
   */
  Instances(Predicate<GpuUuid> hasChanged, LongSupplier nanoTime) {
    this.hasChanged = hasChanged;
    this.nanoTime = nanoTime;
  }

  /** Those there are now; when the driver fails to list them there are none, until it does. */
  List<InstanceDevice> of(Device device, Readings failures) {
    boolean changed = hasChanged.test(device.gpu().uuid());
    if (canBeDivided && (changed || isDue())) {
      var now = list(device, failures);
      if (changed || !divisions(now).equals(divisions(known))) {
        device.nvml().forgetInstances(device.handle());
      }
      known = now;
    }
    return known;
  }

  /** Whether the driver has said that the GPU is not divided now. */
  boolean areNone() {
    return known.isEmpty() && (!canBeDivided || listed != null);
  }

  /** One of them did not answer: its handle may be void. */
  void doubt() {
    listed = null;
  }

  /** A handle tells nothing: the driver may use it again. */
  private static List<MigInstance> divisions(List<InstanceDevice> devices) {
    return devices.stream().map(InstanceDevice::instance).toList();
  }

  private boolean isDue() {
    return listed == null || nanoTime.getAsLong() - listed >= LISTED_AGAIN_AFTER.toNanos();
  }

  private List<InstanceDevice> list(Device device, Readings failures) {
    var answer = device.nvml().mig().devices(device.handle());
    failures.take(answer, Set.of(), _ -> {});
    return switch (answer) {
      case Value<List<MigDevice>>(var devices) -> {
        listed = nanoTime.getAsLong();
        yield grouped(device.gpu().uuid(), devices);
      }
      case Unsupported<List<MigDevice>> _ -> {
        canBeDivided = false;
        yield List.of();
      }
      case Failed<List<MigDevice>> _ -> {
        doubt();
        yield List.of();
      }
    };
  }

  /** The driver lists compute instances; several may share one GPU instance, and its memory. */
  private static List<InstanceDevice> grouped(GpuUuid parent, List<MigDevice> devices) {
    return devices.stream()
        .collect(Collectors.groupingBy(MigDevice::instance, TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(parts -> instance(parent, parts))
        .toList();
  }

  private static InstanceDevice instance(GpuUuid parent, List<MigDevice> parts) {
    var first = parts.getFirst();
    var uuids = parts.stream().map(MigDevice::uuid).toList();
    return new InstanceDevice(
        first.handle(), new MigInstance(parent, first.instance(), first.profile(), uuids));
  }
}
