package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One life of a cluster under faults, the same for the same seed but for the order of threads,
 * which nothing depends on. Two replicas of the real program run in it.
 */
final class FaultRun implements AutoCloseable {
  private static final Duration TICK = Duration.ofSeconds(10);
  private static final int TICKS_PER_CYCLE = 3;
  private static final RecordingRules RECORDING_RULES = RecordingRules.shipped();
  private static final Duration NEWEST_SAMPLE = Duration.ofMinutes(2);

  private static final Duration LONGEST_LOOKBACK = Duration.ofMinutes(6);

  /** Requests are heard of for so long. */
  private static final Duration LONGEST_HEARD = Duration.ofMinutes(16);

  private final Random random;
  private final EvidenceSourceKind source;
  private final ExpectedLimits rules;
  private final Function<StandInContext, Object[]> standIns;
  private final SkewedClocks time = new SkewedClocks();
  private final SimulatedCluster cluster = new SimulatedCluster(time::now);
  private final SimulatedUsers tenants;
  private final List<SimulatedAgent> agents;
  private final SimulatedPrometheus prometheus;
  private final FakeAgentEndpoint direct;
  private final SignalCounters meters;
  private final FakeReceivers receivers;
  private final EvictionReferee referee;
  private final OwnersReferee ownersReferee;
  private final FaultSchedule faults;
  private final List<WiredReplica> replicas = new ArrayList<>();
  private final Set<PodRef> goneByEviction = new HashSet<>();
  private final EventCounts tally = new EventCounts();
  private List<Judgment> judgments = List.of();
  private Duration ourError = Duration.ZERO;
  private int processes;

  /** What a part that stands in for one of the program's own may need. */
  record StandInContext(Map<String, Object> properties, FaultyApi api, Clock clock) {}

  FaultRun(long seed, EvidenceSourceKind source, Set<InjectedFault> wrong) {
    this(seed, source, wrong, _ -> new Object[0]);
  }

  /**
   * @param standIns parts of the program that are wrong on purpose
   */
  FaultRun(
      long seed,
      EvidenceSourceKind source,
      Set<InjectedFault> wrong,
      Function<StandInContext, Object[]> standIns) {
    this.random = new Random(seed);
    this.source = source;
    this.standIns = standIns;
    this.rules = ExpectedLimits.under(wrong, source);
    this.tenants = new SimulatedUsers(time, cluster, random);
    this.agents =
        Stream.concat(IntStream.rangeClosed(1, 3).mapToObj(this::node), Stream.of(sharedNode()))
            .toList();
    this.prometheus = new SimulatedPrometheus(time, random);
    this.direct = new FakeAgentEndpoint(agents);
    this.meters = new SignalCounters(time, random);
    this.receivers = new FakeReceivers(time);
    this.referee =
        new EvictionReferee(
            time,
            cluster,
            rules,
            tenants::lifeOf,
            this::watchedSince,
            this::sideWork,
            pod -> wrong.equals(Set.of(InjectedFault.DEVICE_COUNTS_LOST)) && isUncounted(pod),
            receivers::allWarned);
    this.ownersReferee = new OwnersReferee(cluster, referee);
    this.faults =
        new FaultSchedule(
            this,
            wrong.isEmpty() ? EnumSet.noneOf(InjectedFault.class) : EnumSet.copyOf(wrong),
            random);
    start(true);
    start(false);
    tenants.moveIn();
  }

  private SimulatedAgent node(int number) {
    String name = "node-" + number;
    cluster.addNode(
        NodeSpec.of(
            name,
            IntStream.range(0, number == 3 ? 15 : 8)
                .mapToObj(gpu -> new GpuUuid("GPU-" + number + "-" + gpu))
                .toList()));
    // Agents of two versions, as during an upgrade.
    return new SimulatedAgent(name, time, number % 2 == 0);
  }

  /** Two GPUs with two replicas each, which only pods get that tolerate it. */
  private SimulatedAgent sharedNode() {
    cluster.addNode(
        new NodeSpec(
            SimulatedUsers.SHARED_NODE,
            Stream.of("GPU-4-0", "GPU-4-0", "GPU-4-1", "GPU-4-1").map(GpuUuid::new).toList(),
            Map.of("nvidia.com/gpu.replicas", "2"),
            List.of(new Taint("shared", "", "NoSchedule"))));
    return new SimulatedAgent(SimulatedUsers.SHARED_NODE, time, true);
  }

  private void start(boolean leads) {
    var api =
        new FaultyApi(
            cluster,
            pod -> {
              referee.evicts(pod);
              goneByEviction.add(pod.ref());
            });
    api.beforeChange(ownersReferee::changes);
    faults.meet(api);
    Clock clock = time.ahead(() -> ourError);
    Map<String, Object> properties = rules.properties();
    properties.put("notify.file", receivers.file().toString());
    switch (source) {
      case PROMETHEUS, SELECTIVE, SERIES, RULES -> {
        properties.put("prometheus.url", prometheus.address().toString());
        properties.put("prometheus.timeout", "5s");
        properties.put("prometheus.form", form());
        properties.put(
            "prometheus.selective-from", source == EvidenceSourceKind.SELECTIVE ? "0" : "1000");
        // As long as the cycles are here, so that records are left out until shortly before a step.
        properties.put("reclaimer.interval", TICK.multipliedBy(TICKS_PER_CYCLE).toString());
      }
      case DIRECT -> properties.put("direct.agents", direct.addresses());
    }
    WiredReplica replica =
        WiredReplica.start(
            "replica-" + processes++,
            api,
            clock,
            properties,
            standIns.apply(new StandInContext(properties, api, clock)));
    if (!leads) {
      replica.leadership().loseTo("another");
    }
    replicas.add(replica);
  }

  boolean isSelective() {
    return source == EvidenceSourceKind.SELECTIVE;
  }

  private String form() {
    return switch (source) {
      case SERIES -> "series";
      case RULES -> "rules";
      case PROMETHEUS, SELECTIVE, DIRECT -> "auto";
    };
  }

  /** Lets so much time pass. */
  FaultRun live(Duration length) {
    Instant end = time.now().plus(length);
    for (int tick = 0; time.now().isBefore(end); tick++) {
      time.moveTo(time.now().plus(TICK));
      tenants.live(faults.isActive(InjectedFault.NAMES_REUSED));
      cluster.tick();
      faults.happen();
      agents.forEach(this::pass);
      if (source != EvidenceSourceKind.DIRECT) {
        agents.forEach(prometheus::scrape);
        if (tick % TICKS_PER_CYCLE == 1) {
          meters.scrape(prometheus);
        }
      }
      if (tick % TICKS_PER_CYCLE == 0) {
        if (source == EvidenceSourceKind.RULES) {
          prometheus.record(RECORDING_RULES);
        }
        cycle();
      }
    }
    return this;
  }

  private void pass(SimulatedAgent agent) {
    List<SimulatedAgent.SampledHolder> held = tenants.heldOn(agent.node());
    agent.pass(held);
    meters.hold(agent.node(), held);
  }

  /** Whatever was wrong comes to an end. */
  FaultRun recover() {
    faults.endAll();
    return this;
  }

  private void cycle() {
    for (WiredReplica replica : List.copyOf(replicas)) {
      referee.cycleBegins();
      int requests = replica.api().calls();
      prometheus.takeAsked();
      try {
        Optional<CycleReport> report = replica.run();
        tally.count(report, prometheus.takeAsked());
        report.ifPresent(it -> judgments = it.judgments());
      } catch (FaultyApi.KilledReplica _) {
        tally.oneKilled();
        bury(replica);
      }
      ownersReferee.cycleEnds();
      tally.requests(replica.api().calls() - requests);
    }
  }

  private void bury(WiredReplica killed) {
    replicas.remove(killed);
    killed.close();
    replicas.getFirst().leadership().win();
    start(false);
  }

  /** Others take the places of both, and know nothing of what was before. */
  void restartReplicas() {
    replicas.forEach(WiredReplica::close);
    replicas.clear();
    start(true);
    start(false);
  }

  /** The leader loses the lease to the other one. */
  void changeLeader() {
    for (WiredReplica replica : replicas) {
      if (replica.leadership().isHeld()) {
        replica.leadership().loseTo("another");
      } else {
        replica.leadership().win();
      }
    }
  }

  /** The leader dies at its request of this number from now on, before or after it is served. */
  void killLeaderAt(int request, boolean afterwards) {
    replicas.stream()
        .filter(replica -> replica.leadership().isHeld())
        .forEach(replica -> replica.api().killAt(request, afterwards));
  }

  /** Since when the source could have known about every GPU of the pod, if it can know now. */
  private Optional<Instant> watchedSince(PodView pod) {
    Optional<SimulatedAgent> watching =
        agents.stream()
            .filter(agent -> pod.node().filter(agent.node()::equals).isPresent())
            .findFirst()
            .filter(agent -> agent.lastPass().isAfter(time.now().minus(NEWEST_SAMPLE)));
    // Series have no memory that an agent could lose, and a gap of two minutes is none.
    return source.isOfSeries()
        ? watching.flatMap(agent -> agent.heldSince(pod.ref()))
        : watching.flatMap(agent -> agent.watchedSince(pod.ref(), pod.accelerators().devices()));
  }

  /** A Prometheus knows the last sample of a series that has ended for a while. */
  private boolean isUncounted(PodView pod) {
    return agents.stream()
        .filter(agent -> pod.node().filter(agent.node()::equals).isPresent())
        .flatMap(agent -> agent.uncountedSince(pod.ref()).stream())
        .anyMatch(since -> since.isBefore(time.now().minus(LONGEST_LOOKBACK)));
  }

  /** When the pod was last known, or ought to be known, to do other work than that on GPUs. */
  private Map<SecondarySignal, Instant> sideWork(PodRef pod) {
    Map<SecondarySignal, Instant> last = new EnumMap<>(SecondarySignal.class);
    if (rules.hearsOfPods()) {
      ActualWork life = tenants.lifeOf(pod).orElseThrow();
      for (SecondarySignal what : SecondarySignal.values()) {
        meters.lastKnowable(what, pod, life).ifPresent(at -> last.put(what, at));
      }
    }
    return last;
  }

  void recreateEvicted() {
    goneByEviction.forEach(tenants::recreate);
    goneByEviction.clear();
  }

  void forgetEvicted() {
    goneByEviction.clear();
  }

  void setOurError(Duration ahead) {
    ourError = ahead;
  }

  SimulatedCluster cluster() {
    return cluster;
  }

  SimulatedUsers tenants() {
    return tenants;
  }

  List<SimulatedAgent> agents() {
    return agents;
  }

  SimulatedPrometheus prometheus() {
    return prometheus;
  }

  FakeAgentEndpoint direct() {
    return direct;
  }

  SignalCounters meters() {
    return meters;
  }

  FakeReceivers receivers() {
    return receivers;
  }

  List<WiredReplica> replicas() {
    return replicas;
  }

  Instant now() {
    return time.now();
  }

  EvictionReferee referee() {
    return referee;
  }

  /** Whether the pod's workload was unknown in the last cycle. */
  boolean isUnknown(PodRef pod) {
    return judgments.stream()
        .map(Judgment::verdict)
        .anyMatch(verdict -> verdict instanceof Verdict.Unknown(_, var ref, _) && ref.equals(pod));
  }

  /** UUIDs of the GPUs that the pod holds, in its order. */
  List<String> gpusOf(PodRef pod) {
    return agents.stream()
        .flatMap(agent -> tenants.heldOn(agent.node()).stream())
        .filter(held -> held.pod().equals(pod))
        .map(held -> held.gpu().value())
        .toList();
  }

  /** How many pods share a GPU. */
  long sharing() {
    return cluster.view().pods().stream().filter(pod -> pod.accelerators().shares()).count();
  }

  OwnersReferee ownersReferee() {
    return ownersReferee;
  }

  EventCounts tally() {
    return tally;
  }

  /** Who has been forgotten for so long, is allowed to go, and is still there. */
  List<PodRef> overlooked(Duration since) {
    Instant before = time.now().minus(since);
    return cluster.view().pods().stream()
        .filter(pod -> pod.ref().namespace().equals(SimulatedUsers.ALWAYS))
        .filter(pod -> pod.owner().isEmpty() && pod.untouchable().isEmpty())
        .filter(pod -> !pod.terminating() && pod.node().isPresent())
        .filter(pod -> !pod.accelerators().shares() || !source.isOfSeries())
        .filter(pod -> isAllowed(pod))
        .filter(pod -> watchedSince(pod).filter(before::isAfter).isPresent())
        .filter(
            pod ->
                tenants.lifeOf(pod.ref()).orElseThrow().lastWork(time.now()).stream()
                    .allMatch(before::isAfter))
        .filter(pod -> source == EvidenceSourceKind.DIRECT || nothingHeard(pod.ref(), before))
        .map(PodView::ref)
        .toList();
  }

  private boolean nothingHeard(PodRef pod, Instant before) {
    return tenants.lifeOf(pod).orElseThrow().lastSideWork(time.now()).stream()
        .allMatch(before.minus(LONGEST_HEARD)::isAfter);
  }

  private static boolean isAllowed(PodView pod) {
    return pod.annotations().keySet().stream()
        .allMatch(
            key ->
                key.endsWith("/warned-at")
                    || key.endsWith("/idle-since")
                    || key.endsWith("/act-not-before")
                    || key.endsWith("/warned-mode")
                    || key.endsWith("/action-id")
                    || key.endsWith("/state"));
  }

  @Override
  public void close() {
    replicas.forEach(WiredReplica::close);
    prometheus.close();
    direct.close();
    receivers.close();
  }
}
