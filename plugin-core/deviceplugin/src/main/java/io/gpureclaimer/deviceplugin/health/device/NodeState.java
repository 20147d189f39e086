package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.XidTexts;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.DriverEvent.DoubleBitError;
import io.gpureclaimer.nvml.DriverEvent.MigChanged;
import io.gpureclaimer.nvml.DriverEvent.SingleBitError;
import io.gpureclaimer.nvml.DriverEvent.Xid;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.GpuStatus.Late;
import io.gpureclaimer.nvml.poll.GpuStatus.Responding;
import io.gpureclaimer.nvml.poll.GpuStatus.Unavailable;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Polled;
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
 * Health of all GPUs of the node; immutable. What happens to one GPU touches no other.
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
    return issue(event, at, policy)
        .map(issue -> changed(event.gpu(), state -> state.with(issue)))
        .orElse(this);
  }

  /**
   * A poll says nothing about events. A GPU whose facts were not read in it, or whose call is only
   * late, stays as it was.
   */
  NodeState polled(Polled poll, Instant at, HealthPolicy policy) {
    Map<GpuUuid, GpuState> now = new HashMap<>();
    Set<GpuUuid> listed = new HashSet<>();
    gpus.forEach((uuid, state) -> now.put(uuid, state.unseen()));
    for (GpuStatus gpu : poll.inventory().gpus()) {
      GpuUuid uuid = gpu.uuid();
      if (uuid != null) {
        listed.add(uuid);
        now.put(uuid, polled(of(uuid), gpu, poll.counters().get(uuid), at, policy));
      }
    }
    now.entrySet()
        .removeIf(
            gpu ->
                !gpu.getValue().readable()
                    && gpu.getValue().issues().isEmpty()
                    && !listed.contains(gpu.getKey()));
    return new NodeState(now, listened);
  }

  private GpuState polled(
      GpuState before,
      GpuStatus gpu,
      @Nullable GpuCounters counters,
      Instant at,
      HealthPolicy policy) {
    return switch (gpu) {
      case Responding(var facts) ->
          counters == null
              ? before.seen()
              : new HealthEvaluation(facts, counters, listened.contains(facts.gpu().uuid()), at)
                  .of(before, policy);
      case Late _ -> before;
      case Unavailable(_, _, _, _, var reason) ->
          before
              .with(
                  HealthIssue.of(UnhealthyReason.UNREADABLE, reason, at, RecoveryCondition.ANSWERS))
              .unseen();
    };
  }

  /** There is no driver to ask. */
  NodeState withoutDriver() {
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

  private Optional<HealthIssue> issue(DriverEvent event, Instant at, HealthPolicy policy) {
    return switch (event) {
      case Xid(var gpu, int code, var instance) ->
          policy.checks().recoveryOf(code).map(cure -> xid(gpu, code, cure, instance, at));
      case DoubleBitError(var gpu) ->
          policy.checks().hearsNothing() || of(gpu).containsErrors()
              ? Optional.empty()
              : Optional.of(
                  HealthIssue.of(
                      UnhealthyReason.DOUBLE_BIT_ECC,
                      "an error in memory could not be corrected",
                      at,
                      RecoveryCondition.ALL_CLEAR));
      case SingleBitError _, MigChanged _ -> Optional.empty();
    };
  }

  private HealthIssue xid(
      GpuUuid gpu, int code, RecoveryCondition cure, OptionalInt instance, Instant at) {
    String text = "XID " + code + ": " + XidTexts.of(code);
    HealthIssue issue = HealthIssue.of(UnhealthyReason.XID, text, at, cure).ofXid(code);
    if (instance.isEmpty() || of(gpu).isUndivided()) {
      return issue;
    }
    int id = instance.getAsInt();
    Set<String> devices = of(gpu).division().getOrDefault(id, Set.of());
    @Nullable String mig = devices.stream().sorted().findFirst().orElse(null);
    return issue.in(id, mig);
  }

  private NodeState changed(GpuUuid gpu, UnaryOperator<GpuState> change) {
    Map<GpuUuid, GpuState> now = new HashMap<>(gpus);
    now.put(gpu, change.apply(of(gpu)));
    return new NodeState(now, listened);
  }
}
