package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.DriverEvent.DoubleBitError;
import io.gpureclaimer.nvml.DriverEvent.MigChanged;
import io.gpureclaimer.nvml.DriverEvent.SingleBitError;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.nvml.inventory.Counters;
import io.gpureclaimer.nvml.inventory.Survey;
import io.gpureclaimer.nvml.inventory.SurveyedGpu;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Answered;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Unreadable;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The health of all GPUs of the node; each step makes another one. What happens to one GPU touches
 * no other.
 *
 * @param gpus those that were ever seen, or are remembered because something ails them
 * @param listened those whose events are heard
 */
record NodeState(Map<GpuUuid, GpuState> gpus, Set<GpuUuid> listened) {
  NodeState {
    gpus = Map.copyOf(gpus);
    listened = Set.copyOf(listened);
  }

  GpuState of(GpuUuid gpu) {
    return gpus.getOrDefault(gpu, GpuState.UNKNOWN);
  }

  boolean isHealthy(Entity device) {
    return of(device.gpu()).isHealthy(device.instance());
  }

  /** Something happened to a GPU. */
  NodeState heard(DriverEvent event, Instant at, HealthPolicy policy) {
    return ailment(event, at, policy)
        .map(ailment -> changed(event.gpu(), state -> state.with(ailment)))
        .orElse(this);
  }

  /**
   * A survey is never about the events of a GPU; those that it did not bring are unseen, and those
   * that are still awaited as they were.
   */
  NodeState surveyed(Survey survey, Instant at, HealthPolicy policy) {
    Map<GpuUuid, GpuState> now = new HashMap<>();
    gpus.forEach((uuid, state) -> now.put(uuid, state.unseen()));
    for (SurveyedGpu gpu : survey.inventory().gpus()) {
      switch (gpu) {
        case Answered(var facts) -> {
          GpuUuid uuid = facts.gpu().uuid();
          if (survey.awaited().contains(uuid)) {
            now.put(uuid, of(uuid));
            continue;
          }
          var counters = survey.counters().getOrDefault(uuid, Counters.UNTOLD);
          var checkup = new Checkup(facts, counters, listened.contains(uuid), at);
          now.put(uuid, checkup.of(of(uuid), policy));
        }
        case Unreadable(_, var uuid, var reason) -> {
          if (uuid != null) {
            var silence = Ailment.of(Reason.UNREADABLE, reason, at, Cure.ANSWERS);
            now.put(uuid, of(uuid).with(silence).unseen());
          }
        }
      }
    }
    now.values().removeIf(state -> !state.readable() && state.ailments().isEmpty());
    return new NodeState(now, listened);
  }

  /** There is no driver to ask. */
  NodeState unsurveyed() {
    Map<GpuUuid, GpuState> now = new HashMap<>(gpus);
    now.replaceAll((_, state) -> state.unseen());
    return new NodeState(now, listened);
  }

  /** From now on the events of that GPU are heard, or are not; what was quiet before is over. */
  NodeState listening(GpuUuid gpu, boolean begins) {
    Set<GpuUuid> all = new HashSet<>(listened);
    if (begins) {
      all.add(gpu);
    } else {
      all.remove(gpu);
    }
    var now = gpus.containsKey(gpu) ? changed(gpu, GpuState::unquiet) : this;
    return new NodeState(now.gpus(), all);
  }

  private Optional<Ailment> ailment(DriverEvent event, Instant at, HealthPolicy policy) {
    return switch (event) {
      case Xid(var gpu, int code, var instance) ->
          policy.checks().cureOf(code).map(cure -> xid(gpu, code, cure, instance, at));
      case DoubleBitError(var gpu) ->
          policy.checks().hearsNothing() || of(gpu).containsErrors()
              ? Optional.empty()
              : Optional.of(
                  Ailment.of(
                      Reason.DOUBLE_BIT_ECC,
                      "an error in memory could not be corrected",
                      at,
                      Cure.ALL_CLEAR));
      case SingleBitError _, MigChanged _ -> Optional.empty();
    };
  }

  private Ailment xid(GpuUuid gpu, int code, Cure cure, OptionalInt instance, Instant at) {
    String text = "XID " + code + ": " + XidTexts.of(code);
    Ailment ailment = Ailment.of(Reason.XID, text, at, cure).ofXid(code);
    if (instance.isEmpty() || of(gpu).isUndivided()) {
      return ailment;
    }
    int id = instance.getAsInt();
    Set<String> devices = of(gpu).division().getOrDefault(id, Set.of());
    @Nullable String mig = devices.stream().sorted().findFirst().orElse(null);
    return ailment.in(id, mig);
  }

  private NodeState changed(GpuUuid gpu, UnaryOperator<GpuState> change) {
    Map<GpuUuid, GpuState> now = new HashMap<>(gpus);
    now.put(gpu, change.apply(of(gpu)));
    return new NodeState(now, listened);
  }
}
