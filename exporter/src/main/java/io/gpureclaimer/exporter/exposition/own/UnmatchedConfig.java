package io.gpureclaimer.exporter.exposition.own;

import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import java.util.List;
import java.util.Optional;

/**
 * Parts of the configuration that match nothing on this node.
 *
 * @param gpus selected GPUs that the driver does not have, as {@code --devices} takes them
 * @param instances the same of MIG instances
 * @param devices one line about both; empty if all devices are there
 * @param rows of the counters file that are not served
 */
public record UnmatchedConfig(
    Optional<String> gpus,
    Optional<String> instances,
    Optional<String> devices,
    List<UnservedRow> rows) {
  /** Everything matches, as far as is known. */
  public static final UnmatchedConfig NOTHING =
      new UnmatchedConfig(Optional.empty(), Optional.empty(), Optional.empty(), List.of());

  public UnmatchedConfig {
    rows = List.copyOf(rows);
  }
}
