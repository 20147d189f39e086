package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.backtest.Backtest.GpuTime;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceResult;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sums GPU use by namespace. An observation stands for the step before it; a time in which a pod
 * was not seen, though it was before and after, is unknown. Confined to one thread.
 */
final class UsageTotals {
  private static final int MOST_REMARKS = 20;

  private final TimeRange range;
  private final ClusterView today;
  private final ModeOverride modes;
  private final NamespaceScope scope;
  private final SortedMap<String, GpuTime> accounts = new TreeMap<>();
  private final Map<String, Instant> lastEntry = new HashMap<>();
  private final Set<String> remarks = new LinkedHashSet<>();
  private Optional<Instant> firstSeen = Optional.empty();
  private Duration recorded = Duration.ZERO;
  private Duration unnamed = Duration.ZERO;

  UsageTotals(TimeRange range, ClusterView today, ModeOverride modes, NamespaceScope scope) {
    this.range = range;
    this.today = today;
    this.modes = modes;
    this.scope = scope;
  }

  boolean isAskedFor(String namespace) {
    return scope.includes(namespace);
  }

  /**
   * One more observation.
   *
   * @param joined the same, once its pods were recognized; who was not is there by name
   */
  void add(HistoricalObservation observation, Seen joined) {
    if (joined.pods().isEmpty()) {
      return;
    }
    firstSeen = firstSeen.or(() -> Optional.of(joined.at()));
    recorded = recorded.plus(range.step());
    observation.seen().oddities().forEach(this::remark);
    observation
        .seen()
        .unjoined()
        .pods()
        .forEach(
            (name, pod) -> {
              if (joined.pods().containsKey(name.toString())) {
                unnamed = unnamed.plus(range.step().multipliedBy(pod.devices().size()));
              }
            });
  }

  /** What one workload did. */
  void enter(Judgment judgment, Seen seen) {
    String namespace = judgment.verdict().workload().namespace();
    if (!scope.includes(namespace)) {
      return;
    }
    judgment.policy().stream()
        .flatMap(policy -> policy.remarks().stream())
        .forEach(remark -> remark(remark.text()));
    boolean reported = judgment.verdict() instanceof Verdict.Reported;
    for (PodView pod : judgment.verdict().workload().allPods()) {
      judgment.evidence().stream()
          .filter(of -> of.pod().equals(pod.ref()))
          .findFirst()
          .map(of -> account(pod, of, seen))
          .map(account -> reported ? account.onlyReported() : account)
          .ifPresent(account -> accounts.merge(namespace, account, GpuTime::plus));
    }
  }

  private GpuTime account(PodView pod, PodEvidence of, Seen seen) {
    int devices = devices(pod, seen);
    Instant before = lastEntry.put(pod.ref().uid(), seen.at());
    Duration missed =
        before == null ? Duration.ZERO : Duration.between(before, seen.at()).minus(range.step());
    Duration time = range.step().multipliedBy(devices);
    GpuTime step =
        switch (of.evidence()) {
          case Evidence.Active _ -> GpuTime.active(time);
          case Evidence.Idle _ -> GpuTime.idle(time);
          case Evidence.Unknown _ -> GpuTime.unknown(time);
        };
    return step.plus(GpuTime.unknown(missed.multipliedBy(devices)));
  }

  private static int devices(PodView pod, Seen seen) {
    int seenOf = seen.pod(pod.ref().uid()).map(PodActivity::devices).map(List::size).orElse(0);
    return pod.accelerators().isCounted() ? pod.accelerators().devices() : seenOf;
  }

  private void remark(String line) {
    if (remarks.size() < MOST_REMARKS) {
      remarks.add(line);
    }
  }

  Backtest close(Collection<SimulatedReclamation> reclaims, int deletedPods) {
    return new Backtest(
        range,
        firstSeen,
        recorded,
        accounts.entrySet().stream()
            .map(entry -> result(entry.getKey(), entry.getValue(), reclaims))
            .toList(),
        reclaims.stream().sorted(SimulatedReclamation.WORST_FIRST).toList(),
        deletedPods,
        unnamed,
        List.copyOf(remarks));
  }

  private NamespaceResult result(
      String name, GpuTime account, Collection<SimulatedReclamation> reclaims) {
    return new NamespaceResult(
        name,
        Optional.ofNullable(today.namespaces().get(name)).map(modes::mode),
        account,
        reclaims.stream().filter(each -> each.pod().namespace().equals(name)).toList());
  }
}
