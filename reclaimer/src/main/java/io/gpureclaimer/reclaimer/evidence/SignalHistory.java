package io.gpureclaimer.reclaimer.evidence;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is remembered of the signals of one pod.
 *
 * @param since from when on somebody has listened to them without a gap, by the source's clock
 * @param work when each of them last said that the pod works; those that never did are missing
 */
public record SignalHistory(Instant since, Map<Signal.SignalKind, Instant> work) {
  public SignalHistory {
    work = Map.copyOf(work);
  }

  /** Nothing yet. */
  static SignalHistory from(Instant since) {
    return new SignalHistory(since, Map.of());
  }

  /** Which of these was the last to say that the pod works, and when; of several the first. */
  public Optional<Map.Entry<Signal.SignalKind, Instant>> lastWork(
      Collection<Signal.SignalKind> kinds) {
    return work.entrySet().stream()
        .filter(said -> kinds.contains(said.getKey()))
        .max(
            Map.Entry.<Signal.SignalKind, Instant>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())));
  }

  /** The same by the stable names of the signals, in their order. */
  public SortedMap<String, Instant> workByCode() {
    var byCode = new TreeMap<String, Instant>();
    work.forEach((kind, at) -> byCode.put(kind.code(), at));
    return byCode;
  }

  /** The same after one more look. */
  SignalHistory and(Collection<Signal> signals, Instant at) {
    if (signals.stream().noneMatch(Signal::saysWork)) {
      return this;
    }
    var more = new HashMap<>(work);
    signals.stream().filter(Signal::saysWork).forEach(signal -> more.put(signal.kind(), at));
    return new SignalHistory(since, more);
  }
}
