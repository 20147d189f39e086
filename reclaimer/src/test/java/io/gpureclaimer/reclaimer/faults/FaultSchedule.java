package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.faults.FakeReceivers.Reception;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Lets the faults of a run begin and end at random. Confined to the thread of the run. */
final class FaultSchedule {
  private static final List<String> METRICS =
      List.of(
          LedgerMetrics.LAST_ACTIVE,
          LedgerMetrics.LAST_SIGNAL,
          LedgerMetrics.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL,
          LedgerMetrics.BUSY,
          LedgerMetrics.DEVICE_COUNT,
          DcgmField.DEV_GPU_UTIL.metricName(),
          DcgmField.DEV_POWER_USAGE.metricName());
  private static final List<DoubleUnaryOperator> MALFORMED =
      List.of(
          _ -> Double.NaN,
          _ -> Double.POSITIVE_INFINITY,
          _ -> Double.NEGATIVE_INFINITY,
          _ -> Double.MAX_VALUE,
          _ -> -1,
          value -> -value,
          value -> value * 1_000,
          value -> value / 1_000);
  private static final List<String> LABELS = List.of("pod_uid", "UUID", "pod", "namespace");
  private static final Duration WATCH_TOLERATED = Duration.ofMinutes(2);

  private final FaultRun run;
  private final Set<InjectedFault> chosen;
  private final Random random;
  private final Set<InjectedFault> active = EnumSet.noneOf(InjectedFault.class);
  private Instant watchExpiredAt = Instant.MAX;

  FaultSchedule(FaultRun run, Set<InjectedFault> chosen, Random random) {
    this.run = run;
    this.chosen = chosen;
    this.random = random;
  }

  boolean isActive(InjectedFault fault) {
    return active.contains(fault);
  }

  /** A replica that has just started suffers like the others. */
  void meet(FaultyApi api) {
    api.suffer(this::apiFault);
    api.watch(this::watch);
  }

  void happen() {
    for (InjectedFault fault : chosen) {
      if (!active.contains(fault)) {
        if (chance(4)) {
          active.add(fault);
          begin(fault);
        }
      } else if (chance(isLong(fault) ? 1 : 7)) {
        active.remove(fault);
        end(fault);
      } else {
        goOn(fault);
      }
    }
    if (!active.contains(InjectedFault.EVICTED_PODS_RECREATED)) {
      run.forgetEvicted();
    }
  }

  void endAll() {
    chosen.clear();
    List.copyOf(active)
        .forEach(
            fault -> {
              active.remove(fault);
              end(fault);
            });
  }

  /** Faults that could last for long without a limit here. */
  private static boolean isLong(InjectedFault fault) {
    return fault.isOf(Double.class)
        || fault.isOf(Integer.class)
        || fault.isOf(Duration.class)
        || fault.isOf(ApiFault.class)
        || fault.isOf(InjectedFault.Share.class)
        || fault.isOf(DcgmField.class)
        || fault == InjectedFault.KUBELETS_LOST
        || fault == InjectedFault.SERVERS_LOST
        || fault == InjectedFault.LEDGER_STUCK_AT_ZERO
        || fault == InjectedFault.UTILIZATION_STUCK_AT_ZERO
        || fault == InjectedFault.COUNTERS_STUCK_AT_ZERO
        || fault == InjectedFault.LAST_ACTIVE_DROPPED
        || fault == InjectedFault.LAST_SIGNAL_DROPPED
        || fault == InjectedFault.LAST_ACTIVE_STANDS_STILL
        || fault == InjectedFault.DEVICE_COUNTS_LOST
        || fault == InjectedFault.LABELS_SWAPPED
        || fault == InjectedFault.LABELS_SWAPPED_BETWEEN_EQUALS
        || fault == InjectedFault.EVICTED_PODS_RECREATED
        || fault == InjectedFault.VALUES_MALFORMED
        || fault == InjectedFault.LABELS_LOST
        || fault == InjectedFault.REPLICAS_ALTERNATE
        || fault == InjectedFault.SERIES_FEDERATED_LATE
        || fault == InjectedFault.ONE_GPU_FROZEN
        || fault == InjectedFault.NAMESPACE_POLICIES_CHANGED
        || fault == InjectedFault.NAMES_REUSED;
  }

  private void begin(InjectedFault fault) {
    switch (fault) {
      case AGENT_DOWN_ON_ONE_NODE -> anyAgent().setUp(false);
      case AGENT_DOWN_ON_ALL_NODES -> run.agents().forEach(agent -> agent.setUp(false));
      case AGENT_FROZEN -> anyAgent().freeze(true);
      case ONE_GPU_FROZEN -> anyAgent().freezeGpus(someGpus());
      case GPU_REPLACED -> anyAgent().replaceGpus(someGpus());
      case REPLICAS_ALTERNATE -> run.prometheus().alternate(true);
      case SERIES_FEDERATED_LATE ->
          run.prometheus().federate(Optional.of(Duration.ofSeconds(random.nextInt(10, 300))));
      case VALUES_MALFORMED -> malform(chance(50) ? Optional.of(any(METRICS)) : Optional.empty());
      case LABELS_LOST -> loseLabel();
      case PROMETHEUS_RESTARTED -> {
        run.prometheus().restart();
        run.meters().forget();
      }
      case KUBELETS_LOST -> run.meters().lose(SecondarySignal.CPU, someNodesOrPods(), chance(50));
      case SERVERS_LOST -> run.meters().lose(SecondarySignal.REQUESTS, somePods(60), chance(50));
      case METERS_LOST_30, METERS_LOST_80 ->
          run.meters().loseSamples(fault.detail(InjectedFault.Share.class).value());
      case SCRAPES_LOST_10, SCRAPES_LOST_30, SCRAPES_LOST_50, SCRAPES_LOST_80, SCRAPES_LOST_90 ->
          run.prometheus().loseScrapes(fault.detail(Double.class));
      case SAMPLES_LOST_10, SAMPLES_LOST_30, SAMPLES_LOST_50, SAMPLES_LOST_80, SAMPLES_LOST_90 ->
          run.prometheus().loseSamples(fault.detail(Double.class));
      case SERIES_LOST_10, SERIES_LOST_50, SERIES_LOST_90 ->
          run.prometheus().loseSeries(fault.detail(Double.class));
      case LAST_ACTIVE_DROPPED ->
          run.prometheus().drop(Set.of(LedgerMetrics.LAST_ACTIVE, RecordingRules.LAST_ACTIVE));
      case LAST_SIGNAL_DROPPED -> run.prometheus().drop(Set.of(LedgerMetrics.LAST_SIGNAL));
      case ONLY_THE_LAST_SAMPLE, ONLY_THE_LAST_2_SAMPLES, ONLY_THE_LAST_10_SAMPLES ->
          run.prometheus().keepOnly(fault.detail(Integer.class));
      case LEDGER_STUCK_AT_ZERO -> run.agents().forEach(agent -> agent.stickLedger(true));
      case UTILIZATION_STUCK_AT_ZERO -> run.agents().forEach(agent -> agent.stickUtilization(true));
      case WORK_SHOWN_BY_COPIES_ALONE, WORK_SHOWN_BY_FP64_ALONE ->
          run.agents().forEach(agent -> agent.showWorkOnlyBy(fault.detail(DcgmField.class)));
      case LAST_ACTIVE_STANDS_STILL -> run.agents().forEach(agent -> agent.stickLastActive(true));
      case DEVICE_COUNTS_LOST -> {
        Set<String> pods = somePods(50);
        run.agents().forEach(agent -> agent.loseCounts(pods));
      }
      case LABELS_SWAPPED -> swapLabels(false);
      case LABELS_SWAPPED_BETWEEN_EQUALS -> swapLabels(true);
      case COUNTERS_STUCK_AT_ZERO -> run.agents().forEach(agent -> agent.stickCounters(true));
      case NODE_CLOCK_5_MINUTES_AHEAD, NODE_CLOCK_5_MINUTES_BEHIND, NODE_CLOCK_20_SECONDS_OFF ->
          anyAgent().setClockError(fault.detail(Duration.class));
      case PROMETHEUS_CLOCK_5_MINUTES_AHEAD, PROMETHEUS_CLOCK_5_MINUTES_BEHIND ->
          run.prometheus().setClockError(fault.detail(Duration.class));
      case OUR_CLOCK_5_MINUTES_AHEAD, OUR_CLOCK_5_MINUTES_BEHIND, OUR_CLOCK_20_SECONDS_OFF ->
          run.setOurError(fault.detail(Duration.class));
      case RECEIVER_REFUSES, RECEIVER_BUSY, RECEIVER_LOSES_ITS_ANSWER ->
          run.receivers().receive(fault.detail(Reception.class), chance(50));
      case API_410_WATCH_EXPIRED -> watchExpiredAt = run.now();
      case PROMETHEUS_SLOW,
          PROMETHEUS_EMPTY,
          PROMETHEUS_FAILING,
          PROMETHEUS_OVERLOADED,
          PROMETHEUS_CUT,
          PROMETHEUS_PARTIAL,
          PROMETHEUS_BEHIND_A_LOGIN,
          PROMETHEUS_BEHIND_A_CACHE -> {
        ServerBehavior bad = fault.detail(ServerBehavior.class);
        run.prometheus().feel(() -> chance(60) ? bad : ServerBehavior.WELL);
        run.direct().feel(() -> chance(60) ? bad : ServerBehavior.WELL);
      }
      case API_401,
          API_403,
          API_404,
          API_409,
          API_429,
          API_429_RETRY_AFTER,
          API_500,
          API_CUT_BEFORE,
          API_CUT_AFTER,
          API_UNREACHABLE,
          AGENT_RESTARTED,
          CONTAINERS_RESTARTED,
          NAMES_REUSED,
          LEASE_LOST,
          LEADER_KILLED,
          EVICTED_PODS_RECREATED,
          POLICIES_CHANGED,
          NAMESPACE_POLICIES_CHANGED -> {}
    }
  }

  private void goOn(InjectedFault fault) {
    switch (fault) {
      case AGENT_RESTARTED -> {
        if (chance(10)) {
          anyAgent().restart();
        }
      }
      case CONTAINERS_RESTARTED -> {
        if (chance(10)) {
          run.meters().restart(_ -> chance(30));
        }
      }
      case LEASE_LOST -> {
        if (chance(20)) {
          run.changeLeader();
        }
      }
      case LEADER_KILLED -> run.killLeaderAt(1 + random.nextInt(4), chance(50));
      case EVICTED_PODS_RECREATED -> run.recreateEvicted();
      case POLICIES_CHANGED -> {
        if (chance(30)) {
          run.tenants().changePolicy();
        }
      }
      case NAMESPACE_POLICIES_CHANGED -> {
        if (chance(20)) {
          run.tenants().changeNamespacePolicy();
        }
      }
      default -> {}
    }
  }

  /** A watch without reports for longer than tolerated counts as lost. */
  private FaultyApi.Watch watch() {
    if (isActive(InjectedFault.API_UNREACHABLE)) {
      return FaultyApi.Watch.LOST;
    }
    if (!isActive(InjectedFault.API_410_WATCH_EXPIRED)) {
      return FaultyApi.Watch.CURRENT;
    }
    return run.now().isAfter(watchExpiredAt.plus(WATCH_TOLERATED))
        ? FaultyApi.Watch.LOST
        : FaultyApi.Watch.STALE;
  }

  private Optional<ApiFault> apiFault() {
    List<InjectedFault> some = active.stream().filter(fault -> fault.isOf(ApiFault.class)).toList();
    if (isActive(InjectedFault.API_UNREACHABLE)) {
      return Optional.of(ApiFault.CUT_BEFORE);
    }
    return some.isEmpty() || chance(60)
        ? Optional.empty()
        : Optional.of(some.get(random.nextInt(some.size())).detail(ApiFault.class));
  }

  private void end(InjectedFault fault) {
    switch (fault) {
      case AGENT_DOWN_ON_ONE_NODE, AGENT_DOWN_ON_ALL_NODES ->
          run.agents().forEach(agent -> agent.setUp(true));
      case AGENT_FROZEN -> run.agents().forEach(agent -> agent.freeze(false));
      case ONE_GPU_FROZEN -> run.agents().forEach(agent -> agent.freezeGpus(Set.of()));
      case GPU_REPLACED -> run.agents().forEach(agent -> agent.replaceGpus(Set.of()));
      case REPLICAS_ALTERNATE -> run.prometheus().alternate(false);
      case SERIES_FEDERATED_LATE -> run.prometheus().federate(Optional.empty());
      case VALUES_MALFORMED, LABELS_LOST ->
          run.agents().forEach(agent -> agent.distort(sample -> sample));
      case NAMESPACE_POLICIES_CHANGED -> run.tenants().restoreNamespacePolicies();
      case SCRAPES_LOST_10, SCRAPES_LOST_30, SCRAPES_LOST_50, SCRAPES_LOST_80, SCRAPES_LOST_90 ->
          run.prometheus().loseScrapes(0);
      case SAMPLES_LOST_10, SAMPLES_LOST_30, SAMPLES_LOST_50, SAMPLES_LOST_80, SAMPLES_LOST_90 ->
          run.prometheus().loseSamples(0);
      case SERIES_LOST_10, SERIES_LOST_50, SERIES_LOST_90 -> run.prometheus().loseSeries(0);
      case RECEIVER_REFUSES, RECEIVER_BUSY, RECEIVER_LOSES_ITS_ANSWER ->
          run.receivers().receive(Reception.TAKES, true);
      case KUBELETS_LOST -> run.meters().find(SecondarySignal.CPU);
      case SERVERS_LOST -> run.meters().find(SecondarySignal.REQUESTS);
      case METERS_LOST_30, METERS_LOST_80 -> run.meters().loseSamples(0);
      case LAST_ACTIVE_DROPPED, LAST_SIGNAL_DROPPED -> run.prometheus().drop(Set.of());
      case ONLY_THE_LAST_SAMPLE, ONLY_THE_LAST_2_SAMPLES, ONLY_THE_LAST_10_SAMPLES ->
          run.prometheus().keepOnly(Integer.MAX_VALUE);
      case LEDGER_STUCK_AT_ZERO -> run.agents().forEach(agent -> agent.stickLedger(false));
      case UTILIZATION_STUCK_AT_ZERO ->
          run.agents().forEach(agent -> agent.stickUtilization(false));
      case COUNTERS_STUCK_AT_ZERO -> run.agents().forEach(agent -> agent.stickCounters(false));
      case WORK_SHOWN_BY_COPIES_ALONE, WORK_SHOWN_BY_FP64_ALONE ->
          run.agents().forEach(agent -> agent.showWorkOnlyBy(null));
      case LAST_ACTIVE_STANDS_STILL -> run.agents().forEach(agent -> agent.stickLastActive(false));
      case DEVICE_COUNTS_LOST -> run.agents().forEach(agent -> agent.loseCounts(Set.of()));
      case LABELS_SWAPPED, LABELS_SWAPPED_BETWEEN_EQUALS ->
          run.agents().forEach(agent -> agent.mistake(Map.of()));
      case NODE_CLOCK_5_MINUTES_AHEAD, NODE_CLOCK_5_MINUTES_BEHIND, NODE_CLOCK_20_SECONDS_OFF ->
          run.agents().forEach(agent -> agent.setClockError(Duration.ZERO));
      case PROMETHEUS_CLOCK_5_MINUTES_AHEAD, PROMETHEUS_CLOCK_5_MINUTES_BEHIND ->
          run.prometheus().setClockError(Duration.ZERO);
      case OUR_CLOCK_5_MINUTES_AHEAD, OUR_CLOCK_5_MINUTES_BEHIND, OUR_CLOCK_20_SECONDS_OFF ->
          run.setOurError(Duration.ZERO);
      case PROMETHEUS_SLOW,
          PROMETHEUS_EMPTY,
          PROMETHEUS_FAILING,
          PROMETHEUS_OVERLOADED,
          PROMETHEUS_CUT,
          PROMETHEUS_PARTIAL,
          PROMETHEUS_BEHIND_A_LOGIN,
          PROMETHEUS_BEHIND_A_CACHE -> {
        run.prometheus().feel(() -> ServerBehavior.WELL);
        run.direct().feel(() -> ServerBehavior.WELL);
      }
      default -> {}
    }
  }

  /** Two pods of one node are taken for each other, or one for the other. */
  private void swapLabels(boolean equals) {
    SimulatedAgent agent = anyAgent();
    List<PodView> pods =
        run.cluster().view().pods().stream()
            .filter(pod -> pod.node().filter(agent.node()::equals).isPresent())
            .toList();
    for (PodView one : pods) {
      for (PodView other : pods) {
        boolean chosen = !one.equals(other) && (one.gpus() == other.gpus()) == equals;
        if (chosen && chance(50)) {
          agent.mistake(swap(one.ref(), other.ref(), equals || chance(50)));
          return;
        }
      }
    }
  }

  private static Map<String, PodRef> swap(PodRef one, PodRef other, boolean both) {
    return both ? Map.of(one.uid(), other, other.uid(), one) : Map.of(one.uid(), other);
  }

  /** All samples of one metric are wrong in the same way, or a few of all metrics in any way. */
  private void malform(Optional<String> metric) {
    DoubleUnaryOperator always = any(MALFORMED);
    UnaryOperator<ExpositionSample> distortion =
        sample -> {
          boolean meant =
              metric
                  .map(name -> name.equals(sample.labels().all().get("__name__")))
                  .orElseGet(() -> chance(3));
          DoubleUnaryOperator wrong = metric.isPresent() ? always : any(MALFORMED);
          return meant
              ? new ExpositionSample(sample.labels(), wrong.applyAsDouble(sample.value()))
              : sample;
        };
    run.agents().forEach(agent -> agent.distort(distortion));
  }

  /** As by a rule of relabeling that was meant for something else. */
  private void loseLabel() {
    String metric = any(METRICS);
    String label = any(LABELS);
    run.agents()
        .forEach(
            agent ->
                agent.distort(
                    sample ->
                        metric.equals(sample.labels().all().get("__name__"))
                            ? new ExpositionSample(sample.labels().without(label), sample.value())
                            : sample));
  }

  private Set<String> someGpus() {
    Set<String> some = new HashSet<>();
    for (int gpu = 0; gpu < 8; gpu++) {
      for (SimulatedAgent agent : run.agents()) {
        if (chance(30)) {
          some.add(agent.node().replace("node", "GPU") + "-" + gpu);
        }
      }
    }
    return some;
  }

  private Set<String> someNodesOrPods() {
    return chance(50)
        ? somePods(50)
        : chance(50)
            ? Set.of(anyAgent().node())
            : run.agents().stream().map(SimulatedAgent::node).collect(Collectors.toSet());
  }

  private Set<String> somePods(int percent) {
    return run.meters().pods().stream()
        .sorted()
        .filter(_ -> chance(percent))
        .collect(Collectors.toSet());
  }

  private <T> T any(List<T> options) {
    return options.get(random.nextInt(options.size()));
  }

  private SimulatedAgent anyAgent() {
    return run.agents().get(random.nextInt(run.agents().size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
