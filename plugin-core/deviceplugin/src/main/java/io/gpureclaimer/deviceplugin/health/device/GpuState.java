package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.nvml.poll.InventoryUpdate.Counters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one GPU's health.
 *
 * @param readable whether the last survey brought it
 * @param division the MIG devices of each of its GPU instances
 * @param ailments at most one of a kind
 * @param containsErrors whether the driver says by XID if an error in memory was contained
 * @param counters the last that it told
 * @param quiet for how long nothing has been wrong, as far as somebody looked
 * @param lastGood when the survey was that found nothing wrong; null if the last one did not
 */
record GpuState(
    boolean readable,
    Map<Integer, Set<String>> division,
    List<Ailment> ailments,
    boolean containsErrors,
    Counters counters,
    Duration quiet,
    @Nullable Instant lastGood) {
  /** Never seen. */
  static final GpuState UNKNOWN =
      new GpuState(false, Map.of(), List.of(), false, Counters.UNKNOWN, Duration.ZERO, null);

  GpuState {
    division = Map.copyOf(division);
    ailments = List.copyOf(ailments);
  }

  /** As an earlier run of this program left it. */
  static GpuState recalled(List<Ailment> ailments, Counters counters) {
    return new GpuState(false, Map.of(), ailments, false, counters, Duration.ZERO, null);
  }

  /** One thing more is wrong, or the same again: then it is wrong since it was first. */
  GpuState with(Ailment ailment) {
    List<Ailment> all = new ArrayList<>(ailments);
    all.replaceAll(one -> one.isAgain(ailment) ? ailment.since(one.since()) : one);
    if (ailments.stream().noneMatch(ailment::isAgain)) {
      all.add(ailment);
    }
    return new GpuState(readable, division, all, containsErrors, counters, Duration.ZERO, null);
  }

  /** The same ailments, of a GPU that no survey brings now. */
  GpuState unseen() {
    List<Ailment> settled = ailments.stream().map(Ailment::afterSurvey).toList();
    return new GpuState(false, division, settled, containsErrors, counters, Duration.ZERO, null);
  }

  /** The same, of a GPU that responds, though its facts were not read again. */
  GpuState seen() {
    return new GpuState(true, division, ailments, containsErrors, counters, quiet, lastGood);
  }

  /** Nothing has been quiet yet. */
  GpuState unquiet() {
    return new GpuState(
        readable, division, ailments, containsErrors, counters, Duration.ZERO, null);
  }

  /** Whether the instance with that id, or with null the whole GPU, may be used. */
  boolean isHealthy(@Nullable Integer instance) {
    return has(instance) && ailments.stream().noneMatch(ailment -> ailment.hits(instance));
  }

  /** Known to be; some libraries then say instance 0, not none. */
  boolean isUndivided() {
    return readable && division.isEmpty();
  }

  boolean has(@Nullable Integer instance) {
    return readable && (instance == null || division.containsKey(instance));
  }
}
