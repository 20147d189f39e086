package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.device.Condition.Healthy;
import io.gpureclaimer.deviceplugin.health.device.Condition.Unhealthy;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.EventWatch;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Polled;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Health of each device of the node. Learns from events of the driver and from surveys, remembers
 * across restarts what was wrong, and calls a device healthy again only on evidence. For any
 * thread.
 */
public final class DeviceHealth implements EventWatch.Listener {
  private static final Logger log = LoggerFactory.getLogger(DeviceHealth.class);

  private final HealthPolicy policy;
  private final HealthFile file;
  private final InstantSource clock;
  private final Runnable changed;
  private final AtomicReference<NodeState> state;

  /**
   * Begins with what the file has.
   *
   * @param changed run, on the thread of the cause, after a device became healthy or unhealthy
   */
  public DeviceHealth(HealthPolicy policy, HealthFile file, InstantSource clock, Runnable changed) {
    this.policy = policy;
    this.file = file;
    this.clock = clock;
    this.changed = changed;
    this.state = new AtomicReference<>(new NodeState(file.load(), Set.of()));
    policy.checks().problems().forEach(log::warn);
  }

  @Override
  public void begins(GpuUuid gpu) {
    change(now -> now.listening(gpu, true));
  }

  @Override
  public void ends(GpuUuid gpu) {
    change(now -> now.listening(gpu, false));
  }

  @Override
  public void happened(DriverEvent event) {
    change(now -> now.heard(event, clock.instant(), policy));
  }

  /** Takes the result of a poll. */
  public void polled(Polled poll) {
    change(now -> now.polled(poll, clock.instant(), policy));
    if (file.orderIs(poll.order())) {
      save();
    }
  }

  /**
   * Who was at which index of the driver's when it could last be asked, in this boot of the node,
   * as in {@link Polled#order}. So a GPU that is lost while the program starts has a name.
   */
  public List<Optional<GpuUuid>> order() {
    return file.order();
  }

  /** There is no driver: no device is healthy until a survey brings it again. */
  public void driverGone() {
    change(NodeState::withoutDriver);
  }

  /**
   * Whether a device may be given to a new container: one that the last survey did not bring may
   * not.
   */
  public boolean isHealthy(Entity device) {
    return state.get().isHealthy(device);
  }

  /** The same, with the reason; of several the oldest. */
  public Condition condition(Entity device) {
    GpuState gpu = state.get().of(device.gpu());
    return gpu.issues().stream()
        .filter(issue -> issue.hits(device.instance()))
        .min(Comparator.comparing(HealthIssue::since))
        .<Condition>map(one -> new Unhealthy(one.reason(), one.text(), one.since()))
        .orElseGet(
            () ->
                gpu.has(device.instance())
                    ? new Healthy()
                    : new Unhealthy(UnhealthyReason.ABSENT, "it does not respond", null));
  }

  /** Everything that is wrong, by GPU. */
  public Map<GpuUuid, List<HealthIssue>> issues() {
    Map<GpuUuid, List<HealthIssue>> all = new HashMap<>();
    state.get().gpus().forEach((uuid, gpu) -> all.put(uuid, gpu.issues()));
    all.values().removeIf(List::isEmpty);
    return Map.copyOf(all);
  }

  /** Writes the issues and the current counters of the GPUs, as the base for a later start. */
  public void save() {
    file.save(() -> state.get().gpus());
  }

  private void change(UnaryOperator<NodeState> step) {
    NodeState before;
    NodeState after;
    do {
      before = state.get();
      after = step.apply(before);
    } while (!state.compareAndSet(before, after));
    var news = new HealthChange(before, after);
    if (news.concernsDevices()) {
      changed.run();
    }
    if (news.concernsIssues()) {
      news.log(log);
      save();
    }
  }
}
