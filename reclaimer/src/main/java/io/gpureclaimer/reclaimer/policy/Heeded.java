package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.evidence.Signal;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What spares a workload whose GPUs are idle. Nothing else that says so does.
 *
 * @param signals that are measured
 * @param heartbeats that are written by the workload, always in the same order
 */
public record Heeded(Set<Signal.Kind> signals, Set<Heartbeat> heartbeats) {
  public Heeded {
    signals = Set.copyOf(signals);
    heartbeats =
        heartbeats.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(heartbeats));
  }

  /** Whether the remark is about a heartbeat that nobody heeds. */
  boolean ignores(Remark remark) {
    return Arrays.stream(Heartbeat.values())
        .filter(heartbeat -> !heartbeats.contains(heartbeat))
        .anyMatch(heartbeat -> heartbeat.key().name().equals(remark.key()));
  }
}
