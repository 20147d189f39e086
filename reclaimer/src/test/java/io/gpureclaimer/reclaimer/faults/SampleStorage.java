package io.gpureclaimer.reclaimer.faults;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The series that a Prometheus has stored, staleness included. Confined to its server's lock. */
final class SampleStorage {
  /** How far back an instant query looks for a sample. */
  static final long LOOKBACK_MILLIS = 300_000;

  private static final long KEPT_MILLIS = 3_900_000;

  private final Map<String, Map<LabelSet, SampleHistory>> byName = new LinkedHashMap<>();
  private final Map<String, Set<LabelSet>> lastOfTarget = new HashMap<>();
  private final Map<String, Map<LabelSet, LabelSet>> stored = new HashMap<>();
  private final Optional<RealServer> copy;
  private int keptSamples = Integer.MAX_VALUE;

  /**
   * @param copy gets every sample too
   */
  SampleStorage(Optional<RealServer> copy) {
    this.copy = copy;
  }

  /** Another one that has stored the same so far. */
  SampleStorage copied() {
    var copied = new SampleStorage(Optional.empty());
    byName.forEach(
        (name, series) ->
            series.forEach(
                (labels, history) ->
                    copied
                        .byName
                        .computeIfAbsent(name, _ -> new LinkedHashMap<>())
                        .put(labels, history.copied())));
    lastOfTarget.forEach((target, labels) -> copied.lastOfTarget.put(target, labels));
    copied.keptSamples = keptSamples;
    return copied;
  }

  /** Everything is gone, as after a restart without a disk. */
  void forget() {
    byName.clear();
    lastOfTarget.clear();
  }

  /** From now on only so many of the newest samples of each series are kept. */
  void keepOnly(int samples) {
    keptSamples = samples;
  }

  /**
   * What one scrape of a target brought; series that it did not bring are stale.
   *
   * @param job what the target is one of
   * @param arrives whether a sample that was scraped is stored too
   */
  void scraped(
      String job,
      String target,
      List<ExpositionSample> samples,
      long atMillis,
      Predicate<ExpositionSample> arrives) {
    Set<LabelSet> now = new HashSet<>();
    Map<LabelSet, LabelSet> known = stored.computeIfAbsent(target, _ -> new HashMap<>());
    for (ExpositionSample sample : samples) {
      LabelSet labels =
          known.computeIfAbsent(
              sample.labels(), scraped -> scraped.and(Map.of("job", job, "instance", target)));
      now.add(labels);
      if (arrives.test(sample)) {
        put(labels, atMillis, sample.value());
      }
    }
    markStale(target, now, atMillis);
    put(up(job, target), atMillis, 1);
    lastOfTarget.put(target, now);
  }

  /** A scrape that brought nothing: all series of the target are stale. */
  void failed(String job, String target, long atMillis) {
    markStale(target, Set.of(), atMillis);
    put(up(job, target), atMillis, 0);
    lastOfTarget.remove(target);
  }

  /** What a recording rule came to; series that it did not bring are stale. */
  void recorded(String rule, List<ExpositionSample> samples, long atMillis) {
    Set<LabelSet> now = new HashSet<>();
    for (ExpositionSample sample : samples) {
      now.add(sample.labels());
      put(sample.labels(), atMillis, sample.value());
    }
    markStale(rule, now, atMillis);
    lastOfTarget.put(rule, now);
  }

  /** A series of the Prometheus itself. */
  void ownSample(ExpositionSample sample, long atMillis) {
    put(sample.labels(), atMillis, sample.value());
  }

  /** All series by the names of their metrics. */
  Map<String, Map<LabelSet, SampleHistory>> byName() {
    return byName;
  }

  private void markStale(String target, Set<LabelSet> but, long atMillis) {
    for (LabelSet labels : lastOfTarget.getOrDefault(target, Set.of())) {
      if (!but.contains(labels)) {
        put(labels, atMillis, StalenessMarker.MARK);
      }
    }
  }

  private static LabelSet up(String job, String target) {
    return LabelSet.of(Map.of("__name__", "up", "job", job, "instance", target));
  }

  private void put(LabelSet labels, long atMillis, double value) {
    copy.ifPresent(server -> server.write(labels, atMillis, value));
    byName
        .computeIfAbsent(labels.all().get("__name__"), _ -> new LinkedHashMap<>())
        .computeIfAbsent(labels, _ -> new SampleHistory())
        .add(new SampleHistory.StoredPoint(atMillis, value), keptSamples, KEPT_MILLIS);
  }
}
