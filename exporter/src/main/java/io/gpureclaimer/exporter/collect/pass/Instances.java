package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.InstanceDevice;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.MigDevice;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of one GPU. They are listed again when the driver says that they have changed, when
 * one of them did not answer, and now and then: without privileges the driver does not tell every
 * change. When they are others than before, or may be, what was measured of the old ones is
 * forgotten, so that nothing of theirs is told of those that bear their numbers now. One that the
 * driver refuses to tell is missing, and hides no other. Confined to the driver thread that takes
 * the GPU's turn.
 */
final class Instances {
  private static final Logger log = LoggerFactory.getLogger(Instances.class);
  private static final Duration LISTED_AGAIN_AFTER = Duration.ofSeconds(10);

  private final Predicate<GpuUuid> hasChanged;
  private final MonotonicClock monotonic;

  private List<InstanceDevice> known = List.of();
  private Division division = Division.NONE;
  private @Nullable Long listed;
  private boolean someAreHidden;
  private long forbidden;
  private boolean canBeDivided = true;

  /**
   * @param hasChanged whether the driver has said, since it was last asked here, that this GPU is
   *     divided anew
   * @param monotonic monotonic clock
   */
  Instances(Predicate<GpuUuid> hasChanged, MonotonicClock monotonic) {
    this.hasChanged = hasChanged;
    this.monotonic = monotonic;
  }

  /** Those there are now; when the driver fails to list them there are none, until it does. */
  List<InstanceDevice> of(Device device, Readings failures) {
    boolean changed = hasChanged.test(device.gpu().uuid());
    if (canBeDivided && (changed || isDue())) {
      known = list(device, changed, failures);
    }
    return known;
  }

  /** Whether the driver has said that the GPU is not divided now. */
  boolean areNone() {
    return known.isEmpty() && !someAreHidden && (!canBeDivided || listed != null);
  }

  /** One of them did not answer: its handle may be void. */
  void doubt() {
    listed = null;
  }

  private boolean isDue() {
    return listed == null || monotonic.nanos() - listed >= LISTED_AGAIN_AFTER.toNanos();
  }

  private List<InstanceDevice> list(Device device, boolean changed, Readings failures) {
    var answer = device.nvml().mig().each(device.handle());
    failures.take(answer, Set.of(), _ -> {});
    return switch (answer) {
      case Value<List<NvmlResult<MigDevice>>>(var each) -> take(each, device, changed, failures);
      case Unsupported<List<NvmlResult<MigDevice>>> _ -> {
        canBeDivided = false;
        yield follow(Division.NONE, device, changed);
      }
      case Failed<List<NvmlResult<MigDevice>>> _ -> {
        doubt();
        yield follow(Division.NONE, device, changed);
      }
    };
  }

  private List<InstanceDevice> take(
      List<NvmlResult<MigDevice>> each, Device device, boolean changed, Readings failures) {
    listed = monotonic.nanos();
    each.forEach(one -> failures.take(one, Set.of(), _ -> {}));
    tellOfForbidden(each, device);
    if (each.stream().anyMatch(Instances::mayBeToldSoon)) {
      doubt();
    }
    List<MigDevice> told =
        each.stream()
            .<MigDevice>mapMulti(
                (one, into) -> {
                  if (one instanceof Value<MigDevice>(var mig)) {
                    into.accept(mig);
                  }
                })
            .toList();
    someAreHidden = told.size() < each.size();
    var now = Division.of(device.gpu().uuid(), told);
    return someAreHidden && !changed && now.isWithin(division)
        ? without(now, device)
        : follow(now, device, changed);
  }

  private void tellOfForbidden(List<NvmlResult<MigDevice>> each, Device device) {
    long now = each.stream().filter(one -> isFailed(one) && !mayBeToldSoon(one)).count();
    if (now != forbidden) {
      forbidden = now;
      if (now == 0) {
        log.info(
            "GPU {} ({}): the driver hides none of its MIG devices any more",
            device.gpu().index(),
            device.gpu().uuid());
      } else {
        log.warn(
            "GPU {} ({}): the driver lets us see {} of its {} MIG devices; the others have no"
                + " series",
            device.gpu().index(),
            device.gpu().uuid(),
            each.size() - now,
            each.size());
      }
    }
  }

  private static boolean isFailed(NvmlResult<MigDevice> device) {
    return device instanceof Failed<MigDevice>;
  }

  /** What we may not open we may not open in the next pass either. */
  private static boolean mayBeToldSoon(NvmlResult<MigDevice> device) {
    return device instanceof Failed<MigDevice>(var reason, _) && reason != NvmlReturn.NO_PERMISSION;
  }

  /** The others go on, under the names that they have; the hidden ones begin anew. */
  private List<InstanceDevice> without(Division now, Device device) {
    division
        .beside(now)
        .forEach(hidden -> device.nvml().forgetInstance(device.handle(), hidden.id()));
    return now.namedAs(division);
  }

  private List<InstanceDevice> follow(Division now, Device device, boolean changed) {
    if (changed || !now.parts().equals(division.parts())) {
      device.nvml().forgetInstances(device.handle());
    }
    division = now;
    return now.instances();
  }
}
