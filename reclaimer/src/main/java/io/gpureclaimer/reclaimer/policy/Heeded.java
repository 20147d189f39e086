package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.activity.Signal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What spares a workload whose GPUs are idle. Nothing else that says so does.
 *
 * @param signals that are measured
 * @param heartbeats that are written by the workload
 */
public record Heeded(Set<Signal.Kind> signals, Set<Heartbeat> heartbeats) {
  public Heeded {
    signals = Set.copyOf(signals);
    heartbeats = Set.copyOf(heartbeats);
  }

  /** The heartbeats in an order that is always the same. */
  List<Heartbeat> inOrder() {
    return heartbeats.stream().sorted().toList();
  }

  /** Whether the remark is about a heartbeat that nobody heeds. */
  boolean ignores(Remark remark) {
    return Arrays.stream(Heartbeat.values())
        .filter(heartbeat -> !heartbeats.contains(heartbeat))
        .anyMatch(heartbeat -> heartbeat.key().name().equals(remark.key()));
  }
}
