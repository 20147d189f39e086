package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.prometheus.RangeSeries;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Replays the answers of range queries as observations. Confined to one thread. */
final class RangeReplayer {
  private final EvidenceFormat format;
  private final SignalLimits signals;
  private final Consumer<HistoricalObservation> into;

  /**
   * @param format keeps its state from one observation to the next
   * @param into takes the observations, in their order
   */
  RangeReplayer(EvidenceFormat format, SignalLimits signals, Consumer<HistoricalObservation> into) {
    this.format = format;
    this.signals = signals;
    this.into = into;
  }

  /** The queries of one slice. */
  enum QueryKind {
    EVIDENCE,
    SIGNALS_OF_DEVICES,
    SIGNALS_OF_PODS
  }

  /** Replays one slice. */
  void replay(TimeRange slice, Map<QueryKind, RangeSamples> samples) {
    for (long number = 1; number <= slice.steps(); number++) {
      replay(slice.at(number), samples);
    }
  }

  private void replay(Instant at, Map<QueryKind, RangeSamples> samples) {
    var reader = new EvidenceReader(format, signals, new ClockRollbackGuard());
    Map<String, PodName> names = new HashMap<>();
    samples.forEach(
        (kind, answer) ->
            answer.at(
                at.toEpochMilli(),
                sample -> {
                  if (kind == QueryKind.EVIDENCE) {
                    reader.evidence(sample);
                    addName(sample.labels(), names);
                  } else {
                    reader.signal(sample);
                  }
                }));
    into.accept(
        new HistoricalObservation(
            reader.observation(FetchScope.ALL_PODS, Clock.fixed(at, ZoneOffset.UTC)),
            Map.copyOf(names)));
  }

  private void addName(Map<String, String> labels, Map<String, PodName> names) {
    Optional.ofNullable(labels.get(format.labels().uid().orElse(Labels.POD_UID)))
        .filter(uid -> !uid.isBlank())
        .ifPresent(uid -> format.podName(labels).ifPresent(name -> names.put(uid, name)));
  }

  /**
   * Samples of one answer: added series by series, read step by step. No sample is kept if there
   * are too many. Confined to one thread at a time.
   */
  static final class RangeSamples {
    private final long most;
    private final List<Cursor> series = new ArrayList<>();
    private long count;

    /**
     * @param most samples to keep
     */
    RangeSamples(long most) {
      this.most = most;
    }

    /** A series, and which of its samples is the next. */
    private static final class Cursor {
      private final RangeSeries of;
      private int next;

      private Cursor(RangeSeries of) {
        this.of = of;
      }
    }

    void accept(RangeSeries one) {
      count += one.size();
      if (isTooMuch()) {
        series.clear();
      } else {
        series.add(new Cursor(one));
      }
    }

    boolean isTooMuch() {
      return count > most;
    }

    long count() {
      return count;
    }

    /** Hands on the samples of one step; steps come in the order of their times. */
    void at(long epochMillis, Consumer<MetricSample> into) {
      for (Cursor cursor : series) {
        RangeSeries one = cursor.of;
        while (cursor.next < one.size() && one.atMillis(cursor.next) < epochMillis) {
          cursor.next++;
        }
        if (cursor.next < one.size() && one.atMillis(cursor.next) == epochMillis) {
          into.accept(one.sample(cursor.next));
        }
      }
    }
  }
}
