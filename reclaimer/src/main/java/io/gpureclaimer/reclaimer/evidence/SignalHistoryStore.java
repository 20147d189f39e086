package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * History of signals by pod: last work, and start of the observation. It begins with the program,
 * so that it knows of no silence before; after a gap that is too long, an observation begins again.
 * Confined to the thread of the cycle.
 */
public final class SignalHistoryStore {
  private final boolean remembers;
  private final Duration longestGap;
  private Map<String, SignalTrail> trails = Map.of();

  private SignalHistoryStore(boolean remembers, Duration longestGap) {
    this.remembers = remembers;
    this.longestGap = longestGap;
  }

  /**
   * Knows nothing yet.
   *
   * @param longestGap between two looks of one listening
   */
  public SignalHistoryStore(Duration longestGap) {
    this(true, longestGap);
  }

  /**
   * Where signals are not enabled, or read only once: nothing is remembered, and nothing follows
   * from it.
   */
  public static SignalHistoryStore none() {
    return new SignalHistoryStore(false, Duration.ZERO);
  }

  /**
   * What is known of one pod.
   *
   * @param until the last look that heard all that was heard before
   * @param boards how many boards have reported their power, which each reports always or never
   */
  private record SignalTrail(SignalHistory heard, Instant until, int boards) {
    boolean reaches(Instant at, Duration longestGap) {
      return !at.isBefore(until) && Duration.between(until, at).compareTo(longestGap) <= 0;
    }
  }

  /** The same look, with what is remembered of each pod; its pods have been joined. */
  public Observation update(Observation look) {
    return switch (look) {
      case Blind blind -> blind;
      case Seen seen -> remembers ? heard(seen) : seen;
    };
  }

  private Seen heard(Seen seen) {
    Map<String, SignalTrail> next = HashMap.newHashMap(seen.pods().size());
    Map<String, PodActivity> pods = HashMap.newHashMap(seen.pods().size());
    seen.pods()
        .forEach(
            (uid, pod) -> {
              SignalTrail trail = next(Optional.ofNullable(trails.get(uid)), pod, seen.at());
              next.put(uid, trail);
              pods.put(uid, pod.withSignalHistory(trail.heard()));
            });
    trails.forEach(
        (uid, trail) -> {
          if (trail.reaches(seen.at(), longestGap)) {
            next.putIfAbsent(uid, trail);
          }
        });
    trails = next;
    return seen.of(pods);
  }

  private SignalTrail next(Optional<SignalTrail> before, PodActivity pod, Instant at) {
    int boards = boards(pod);
    Optional<SignalTrail> unbroken = before.filter(trail -> trail.reaches(at, longestGap));
    if (unbroken.isPresent()
        && pod.leftOut().filter(LeftOut.RECORD_AND_SIGNALS::equals).isPresent()) {
      return unbroken.get();
    }
    if (unbroken.isEmpty()) {
      return new SignalTrail(
          SignalHistory.from(at).and(pod.devices()).and(pod.signals(), at), at, boards);
    }
    SignalTrail known = unbroken.get();
    boolean all = boards >= known.boards();
    return new SignalTrail(
        known.heard().and(pod.devices()).and(pod.signals(), at),
        all ? at : known.until(),
        Math.max(boards, known.boards()));
  }

  /** By a query or by their agents. */
  private static int boards(PodActivity pod) {
    long queried =
        pod.signals().stream().filter(signal -> signal.kind() == Signal.SignalKind.POWER).count();
    long watched =
        pod.devices().stream()
            .flatMap(device -> device.signal().stream())
            .filter(signal -> signal.watched().contains(Signal.SignalKind.POWER))
            .count();
    return (int) Math.max(queried, watched);
  }

  /**
   * What is remembered of the signals of one pod.
   *
   * @param since from when on they were observed without a gap, by the source's clock
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

    /** The same with what agents recorded, by the clocks of their nodes. */
    SignalHistory and(List<DeviceActivity> devices) {
      Map<Signal.SignalKind, Instant> more = new HashMap<>(work);
      for (DeviceActivity device : devices) {
        device
            .signal()
            .ifPresent(
                signal ->
                    signal
                        .kind()
                        .ifPresent(
                            kind ->
                                more.merge(
                                    kind,
                                    signal.at(),
                                    (one, other) -> one.isAfter(other) ? one : other)));
      }
      return more.equals(work) ? this : new SignalHistory(since, more);
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
}
