package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/** The agent's record of one GPU, with the agent's rules about gaps and clocks that step back. */
public final class SimulatedLedger {
  static final Duration LONGEST_GAP = Duration.ofSeconds(30);

  private final GpuUuid gpu;
  private Optional<DeviceActivity> record = Optional.empty();

  public SimulatedLedger(String name) {
    gpu = new GpuUuid("GPU-" + name);
  }

  public void observe(boolean busy, Instant nodeNow, Instant sourceNow) {
    Optional<DeviceActivity> unbroken = record.filter(last -> follows(last, nodeNow));
    Optional<Instant> lastActive =
        busy ? Optional.of(nodeNow) : unbroken.flatMap(DeviceActivity::lastActive);
    record =
        Optional.of(
            new DeviceActivity(
                gpu,
                lastActive,
                unbroken.map(DeviceActivity::observedSince).orElse(nodeNow),
                nodeNow,
                sourceNow,
                OptionalDouble.empty()));
  }

  public Optional<DeviceActivity> record() {
    return record;
  }

  private static boolean follows(DeviceActivity last, Instant nodeNow) {
    Duration passed = Duration.between(last.observedUntil(), nodeNow);
    return !passed.isNegative() && passed.compareTo(LONGEST_GAP) <= 0;
  }
}
