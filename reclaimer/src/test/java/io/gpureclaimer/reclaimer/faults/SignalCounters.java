package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The counters of other work of pods, which kubelets and the pods themselves expose, and which
 * scrapes may lose. Records what was reported when, so what could be known. Confined to the thread
 * of the run.
 */
final class SignalCounters {
  private static final double IDLE_CORES = 0.05;
  private static final double BUSY_CORES_PER_GPU = 4;
  private static final double SECONDS_PER_REQUEST = 5;

  /** Shorter work may fall between two reports. */
  private static final Duration NOTICED_AFTER = Duration.ofMinutes(2);

  /** A counter goes on counting over such a gap. */
  private static final Duration BRIDGED = Duration.ofMinutes(4);

  /** Age at which a signal that stopped being reported is missed; less the time of a cycle. */
  private static final Duration MISSED = Duration.ofMinutes(10);

  private static final Duration LOOK = Duration.ofMinutes(1);

  /** Age of CPU samples that the check before an action misses. */
  private static final Duration MISSED_BEFORE_ACT = Duration.ofMinutes(3);

  /** As long as its samples are certainly kept. */
  private static final Duration KEPT = Duration.ofMinutes(60);

  private final SkewedClocks time;
  private final Random random;
  private final Map<String, Meter> meters = new HashMap<>();
  private final Map<SecondarySignal, Loss> losses = new HashMap<>();
  private final Map<String, NavigableSet<Instant>> reported = new HashMap<>();
  private double lostSamples;

  /**
   * The counters of one pod.
   *
   * @param zero when its container began to count
   */
  private record Meter(
      PodRef pod, String node, int gpus, ActualWork life, int restarts, Instant zero) {
    Meter restarted(Instant now) {
      return new Meter(pod, node, gpus, life, restarts + 1, now);
    }

    boolean reports(SecondarySignal what) {
      return what == SecondarySignal.CPU || life.sideWork().containsKey(what);
    }
  }

  /**
   * Pods that are not reported.
   *
   * @param of of these pods, by UID; of none of a whole node if empty
   * @param marked whether who stores the samples marks the end of the series, which he does not if
   *     the samples bring a time of their own
   */
  private record Loss(Set<String> of, boolean marked) {
    boolean isOf(Meter meter) {
      return of.contains(meter.pod().uid()) || of.contains(meter.node());
    }
  }

  SignalCounters(SkewedClocks time, Random random) {
    this.time = time;
    this.random = random;
  }

  /** These hold the GPUs of a node now. */
  void hold(String node, List<SimulatedAgent.SampledHolder> held) {
    Map<String, Long> gpus =
        held.stream()
            .collect(Collectors.groupingBy(each -> each.pod().uid(), Collectors.counting()));
    meters
        .values()
        .removeIf(meter -> meter.node().equals(node) && !gpus.containsKey(meter.pod().uid()));
    for (SimulatedAgent.SampledHolder each : held) {
      int count = Math.toIntExact(gpus.getOrDefault(each.pod().uid(), 0L));
      meters.computeIfAbsent(
          each.pod().uid(), _ -> new Meter(each.pod(), node, count, each.life(), 0, time.now()));
    }
  }

  /** The containers of some pods restart, and their counters with them. */
  void restart(Predicate<String> uids) {
    meters.replaceAll((uid, meter) -> uids.test(uid) ? meter.restarted(time.now()) : meter);
  }

  /** From now on this is not reported for these pods and nodes. */
  void lose(SecondarySignal what, Set<String> of, boolean marked) {
    losses.put(what, new Loss(Set.copyOf(of), marked));
  }

  /** From now on it is reported again. */
  void find(SecondarySignal what) {
    losses.remove(what);
  }

  /** Which share of single samples gets lost from now on, with nothing to show for it. */
  void loseSamples(double share) {
    lostSamples = share;
  }

  /** The storage loses it, and it has no further effect that it was reported. */
  void forget() {
    reported.clear();
  }

  /** The UIDs of all pods there are. */
  Set<String> pods() {
    return Set.copyOf(meters.keySet());
  }

  /** All of them are scraped, each kubelet and each server as one target. */
  void scrape(SimulatedPrometheus prometheus) {
    Map<String, List<Meter>> nodes =
        meters.values().stream().collect(Collectors.groupingBy(Meter::node));
    nodes.forEach(
        (node, of) -> scrape(prometheus, SecondarySignal.CPU, "kubelet", "kubelet-" + node, of));
    for (Meter meter : meters.values()) {
      if (meter.reports(SecondarySignal.REQUESTS)) {
        String target = meter.pod().uid() + ":8000";
        scrape(prometheus, SecondarySignal.REQUESTS, "servers", target, List.of(meter));
      }
    }
  }

  private void scrape(
      SimulatedPrometheus prometheus,
      SecondarySignal what,
      String job,
      String target,
      List<Meter> of) {
    Optional<Loss> loss = Optional.ofNullable(losses.get(what));
    var samples = new ArrayList<ExpositionSample>();
    var arriving = new ArrayList<LabelSet>();
    for (Meter meter : of) {
      boolean lost = loss.filter(each -> each.isOf(meter)).isPresent();
      if (lost && loss.get().marked()) {
        continue;
      }
      ExpositionSample sample = sample(what, meter);
      samples.add(sample);
      if (!lost && random.nextDouble() >= lostSamples) {
        arriving.add(sample.labels());
        reported.computeIfAbsent(key(what, meter.pod()), _ -> new TreeSet<>()).add(time.now());
      }
    }
    prometheus.scrape(job, target, samples, sample -> arriving.contains(sample.labels()));
  }

  private ExpositionSample sample(SecondarySignal what, Meter meter) {
    var labels = new HashMap<>(what.labels());
    labels.put("namespace", meter.pod().namespace());
    labels.put("pod", meter.pod().name());
    if (what == SecondarySignal.CPU) {
      // A restarted container is another one to the kubelet, and the same one to a scrape.
      labels.put("id", "/kubepods/pod" + meter.pod().uid() + "/" + meter.restarts());
    }
    return ExpositionSample.of(what.counter(), labels, count(what, meter));
  }

  private double count(SecondarySignal what, Meter meter) {
    double worked = seconds(meter.life().worked(what, meter.zero(), time.now()));
    return switch (what) {
      case CPU ->
          IDLE_CORES * seconds(Duration.between(meter.zero(), time.now()))
              + BUSY_CORES_PER_GPU * meter.gpus() * worked;
      case REQUESTS -> Math.floor(worked / SECONDS_PER_REQUEST);
    };
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }

  /**
   * The last moment at which the pod did so, that could be known, or at which it must be taken to
   * have.
   */
  Optional<Instant> lastKnowable(SecondarySignal what, PodRef pod, ActualWork life) {
    NavigableSet<Instant> moments = reported.getOrDefault(key(what, pod), new TreeSet<>());
    if (what == SecondarySignal.CPU && isMissedBeforeAct(moments)) {
      return Optional.of(time.now());
    }
    return life.sideWork().getOrDefault(what, List.of()).stream()
        .filter(stretch -> stretch.from().isBefore(time.now()))
        .map(stretch -> stretch.until(time.now()))
        .filter(stretch -> stretch.length().compareTo(NOTICED_AFTER) >= 0)
        .flatMap(
            stretch -> latest(moments, stretch.from().plus(NOTICED_AFTER), stretch.to()).stream())
        .max(Comparator.naturalOrder());
  }

  /** A kubelet reports each pod while it runs: without a report, anything is possible. */
  private boolean isMissedBeforeAct(NavigableSet<Instant> moments) {
    if (moments.isEmpty()) {
      return false;
    }
    Duration silent = Duration.between(moments.last(), time.now());
    return silent.compareTo(MISSED_BEFORE_ACT) > 0 && silent.compareTo(KEPT) <= 0;
  }

  /** The latest between the two that was counted, or in which it must have been missed. */
  private Optional<Instant> latest(NavigableSet<Instant> moments, Instant from, Instant to) {
    Instant end = time.now();
    for (Instant begin : moments.headSet(end, true).descendingSet()) {
      Instant known = knownUntil(moments, begin, end);
      Instant latest = known.isBefore(to) ? known : to;
      if (latest.isAfter(begin) && !latest.isBefore(from)) {
        return Optional.of(latest);
      }
      end = begin;
    }
    return Optional.empty();
  }

  /** How much is known of the time between two reports, or until now. */
  private static Instant knownUntil(NavigableSet<Instant> moments, Instant begin, Instant end) {
    if (moments.contains(end) && !end.isAfter(begin.plus(BRIDGED))) {
      return end;
    }
    Instant before = moments.floor(end.minus(MISSED));
    boolean missed = before != null && !before.plus(MISSED).isBefore(begin.plus(BRIDGED));
    return missed ? before.plus(MISSED).minus(LOOK) : begin;
  }

  private static String key(SecondarySignal what, PodRef pod) {
    return what + " " + pod.uid();
  }
}
