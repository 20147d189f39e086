package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.simulated.PodListener;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.simulate.SimulatedAgents.SimulatedHolder;
import io.gpureclaimer.reclaimer.simulate.SimulatedWorkload.LifePhase;
import io.gpureclaimer.reclaimer.simulate.SimulatedWorkload.WorkInterruption;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One policy played over one trace in virtual time, from its start to its end. Confined to one
 * thread.
 *
 * <p>Time advances from event to event, rounded up to {@link #STEP}: at such a moment workloads
 * arrive, end, or are wanted again, then the controllers and the scheduler act, then the policy, if
 * its interval has passed.
 */
public final class Simulation {
  /** Seconds between two moments at which anything may happen. */
  static final int STEP = 10;

  private static final String INDEX = "trace-index";
  private static final String POD = "pod-index";
  private static final String PEOPLE = "people";
  private static final String PREEMPT = "preempt";

  private final WorkloadTrace trace;
  private final long seed;
  private final ComparedPolicy policy;
  private final long interval;
  private final long end;
  private final SimulationClock clock = new SimulationClock();
  private final SimulatedCluster cluster = new SimulatedCluster(clock, new Events());
  private final SimulatedAgents agents = new SimulatedAgents(clock);
  private final FreedGpus freed = new FreedGpus();
  private final RunTotals totals;
  private final List<SimulatedWorkload> workloads;
  private final BiPredicate<SimulatedWorkload, Long> rule;
  private final boolean hasPriorities;
  private final PriorityQueue<TimedEvent> events =
      new PriorityQueue<>(
          Comparator.comparingLong(TimedEvent::at).thenComparingLong(TimedEvent::number));
  private long numbers;
  private final FragmentedGpus freeGpus;
  private final Preemption preemption;
  private final Map<GpuUuid, String> nodeOf = new HashMap<>();

  /** The workloads of all pods, by UID. */
  private final Map<String, SimulatedWorkload> pods = new HashMap<>();

  /** For whom pods were reclaimed that still hold their GPUs, by UID. */
  private final Map<String, SimulatedWorkload> units = new HashMap<>();

  private final Map<String, TracedNode> nodes = new TreeMap<>();
  private int pendingPods;
  private long nextScaling = -1;

  /** Events of a workload. */
  private enum EventType {
    ARRIVE,
    WANT,
    END,
    /** Something may have to be done by the controllers. */
    TICK
  }

  /**
   * A planned event.
   *
   * @param number of the event, so that events of one moment have an order
   * @param workload index of the workload; −1 for none
   * @param generation of the workload that it was planned for; −1 for all
   */
  private record TimedEvent(long at, long number, EventType type, int workload, int generation) {}

  /** A program that reclaims GPUs in the simulated cluster. */
  public interface ReclaimerProgram extends AutoCloseable {
    /**
     * Runs one cycle at the present time of its clock.
     *
     * @return for which pending pods it reclaimed workloads
     */
    List<FreedForPod> runCycle();

    /** What it does more often than a cycle, at each moment at which something happened. */
    void betweenCycles();

    @Override
    void close();
  }

  /**
   * A workload that was reclaimed for a pending pod.
   *
   * @param pods of the workload
   */
  public record FreedForPod(List<PodRef> pods, PodRef pending) {
    public FreedForPod {
      pods = List.copyOf(pods);
    }
  }

  /** Starts the program for one run. */
  @FunctionalInterface
  public interface ProgramStarter {
    /** Starts the program in its simulated surroundings. */
    ReclaimerProgram start(
        SimulatedCluster cluster,
        ActivitySource source,
        Clock clock,
        ComparedPolicy policy,
        long seed);
  }

  Simulation(WorkloadTrace trace, long seed, ComparedPolicy policy, Duration interval) {
    this.trace = trace;
    this.seed = seed;
    this.policy = policy;
    this.interval = Math.max(STEP, Math.ceilDiv(interval.toSeconds(), STEP) * STEP);
    this.end = trace.length().toSeconds();
    this.totals = new RunTotals(end);
    this.workloads = trace.workloads().stream().map(SimulatedWorkload::new).toList();
    this.rule = BaselineRules.of(policy);
    this.hasPriorities = trace.hasPriorities();
    this.freeGpus = new FragmentedGpus(trace.nodes(), trace.workloads());
    this.preemption = new Preemption(nodes.values(), each -> priority(each.trace()));
    build();
  }

  /**
   * Plays a policy.
   *
   * @param interval between two cycles
   * @param starter starts the program, for policies that are of it
   */
  public static SimulationResult run(
      WorkloadTrace trace,
      long seed,
      ComparedPolicy policy,
      Duration interval,
      ProgramStarter starter) {
    var simulation = new Simulation(trace, seed, policy, interval);
    if (policy.mode().isEmpty()) {
      return simulation.play(simulation::applyRule, () -> {});
    }
    try (ReclaimerProgram program =
        starter.start(simulation.cluster, simulation.agents, simulation.clock, policy, seed)) {
      return simulation.play(() -> simulation.freedFor(program.runCycle()), program::betweenCycles);
    }
  }

  private void freedFor(List<FreedForPod> actions) {
    for (FreedForPod action : actions) {
      SimulatedWorkload unit = pods.get(action.pending().uid());
      if (unit != null) {
        action.pods().forEach(pod -> units.put(pod.uid(), unit));
      }
    }
  }

  private void build() {
    trace.nodes().forEach(node -> nodes.put(node.name(), node));
    List<NodeSpec> specs = TracedObjects.nodes(trace);
    for (NodeSpec node : specs) {
      node.gpus().forEach(device -> nodeOf.put(device, node.name()));
      cluster.addNode(node);
    }
    TracedObjects.autoscaler(trace, specs).ifPresent(cluster::autoscale);
    Map<String, String> annotations =
        policy.mode().map(mode -> Map.of(Annotations.MODE, mode)).orElse(Map.of());
    trace.workloads().stream()
        .map(TracedWorkload::namespace)
        .distinct()
        .sorted()
        .forEach(namespace -> cluster.addNamespace(namespace, annotations));
    for (int i = 0; i < workloads.size(); i++) {
      plan(workloads.get(i).trace().arrival(), EventType.ARRIVE, i, -1);
    }
  }

  /**
   * Plays the trace to its end.
   *
   * @param cycle of the policy
   * @param observer sees each moment, after everything happened in it
   */
  SimulationResult play(Runnable cycle, Runnable observer) {
    for (long nextCycle = 0; clock.seconds() < end; ) {
      advanceTo(Math.min(end, Math.min(nextCycle, nextEvent())));
      if (clock.seconds() == end) {
        break;
      }
      happen();
      cluster.addReadyNodes().forEach(this::addNode);
      cluster.tick();
      if (policy == ComparedPolicy.PREEMPTION) {
        preempt();
      }
      scale();
      if (clock.seconds() == nextCycle) {
        cycle.run();
        nextCycle += interval;
        plan(clock.seconds() + STEP, EventType.TICK, -1, -1);
      }
      observer.run();
    }
    return finish();
  }

  private void addNode(NodeSpec spec) {
    spec.gpus().forEach(device -> nodeOf.put(device, spec.name()));
    TracedNode node = TracedObjects.traced(spec);
    nodes.put(node.name(), node);
    freeGpus.addNode(node);
  }

  /** The autoscaler decides, unless the scheduler makes room. */
  private void scale() {
    for (NodeSpec gone : cluster.scale(this::isNominated)) {
      nodes.remove(gone.name());
      freeGpus.removeNode(gone.name());
      freed.remove(gone.gpus(), clock.seconds());
      gone.gpus().forEach(nodeOf::remove);
    }
    cluster
        .nextScaling()
        .map(at -> Duration.between(WorkloadTrace.START, at).toSeconds())
        .filter(at -> at != nextScaling)
        .ifPresent(
            at -> {
              nextScaling = at;
              plan(at, EventType.TICK, -1, -1);
            });
  }

  private boolean isNominated(PodSpec pod) {
    return preemption.isNominated(workloads.get(Events.indexOf(pod)));
  }

  private long nextEvent() {
    TimedEvent first = events.peek();
    return first == null ? end : Math.ceilDiv(first.at(), STEP) * (long) STEP;
  }

  private void advanceTo(long to) {
    long seconds = to - clock.seconds();
    totals.free(freeGpus.free() * seconds, freeGpus.fragmented() * seconds);
    if (pendingPods > 0) {
      totals.stranded(freeGpus.free() * seconds);
    }
    clock.advanceTo(to);
  }

  private void plan(long at, EventType type, int workload, int generation) {
    events.add(
        new TimedEvent(Math.max(at, clock.seconds()), numbers++, type, workload, generation));
  }

  private void plan(long at, EventType type, int workload) {
    plan(at, type, workload, workloads.get(workload).generation());
  }

  private void happen() {
    for (TimedEvent next = events.peek();
        next != null && next.at() <= clock.seconds();
        next = events.peek()) {
      events.remove();
      if (next.workload() >= 0) {
        happen(next, workloads.get(next.workload()));
      }
    }
  }

  private void happen(TimedEvent event, SimulatedWorkload workload) {
    boolean isVoid = event.generation() >= 0 && event.generation() != workload.generation();
    if (isVoid || workload.phase() == LifePhase.ENDED) {
      return;
    }
    switch (event.type()) {
      case ARRIVE -> arrive(event.workload(), workload);
      case WANT -> want(workload);
      case END -> end(workload);
      case TICK -> {}
    }
  }

  private void arrive(int index, SimulatedWorkload workload) {
    TracedWorkload traced = workload.trace();
    workload.submitted(clock.seconds());
    if (traced.kind() == WorkloadKind.SERVICE) {
      plan(workload.endsAt(), EventType.END, index, -1);
    }
    if (traced.isGroup()) {
      cluster.addPodGroup(traced.namespace(), TracedObjects.group(traced), traced.podGpus().size());
    }
    int number = 0;
    for (PodSpec pod : TracedObjects.pods(traced)) {
      var _ =
          cluster.submit(
              pod.withPriority(priority(traced))
                  .withLabels(
                      Map.of(INDEX, Integer.toString(index), POD, Integer.toString(number++))));
    }
  }

  /** Preemption among equals does nothing, so that kinds get priorities if the trace has none. */
  private int priority(TracedWorkload traced) {
    return policy == ComparedPolicy.PREEMPTION && !hasPriorities
        ? traced.kind().usualPriority()
        : traced.priority();
  }

  /**
   * What the scheduler does at a moment, after it bound what it could. A group loses all its pods
   * with one of them, and no pod is evicted for a group.
   */
  private void preempt() {
    if (pendingPods == 0) {
      return;
    }
    Map<String, List<SimulatedHolder>> holdings =
        agents.all().stream().collect(Collectors.groupingBy(this::nodeOf));
    List<SimulatedWorkload> pending =
        workloads.stream()
            .filter(each -> each.phase() == LifePhase.PENDING && !each.trace().isGroup())
            .toList();
    preemption.victims(pending, holdings).stream()
        .flatMap(
            victim ->
                victim.workload().trace().isGroup()
                    ? agents.all().stream().filter(each -> each.workload() == victim.workload())
                    : Stream.of(victim))
        .map(SimulatedHolder::pod)
        .forEach(cluster::delete);
  }

  private String nodeOf(SimulatedHolder holding) {
    return nodeOf.getOrDefault(holding.devices().getFirst(), "");
  }

  /** People ask this program to restore what it reclaimed, and start what another one stopped. */
  private void want(SimulatedWorkload workload) {
    totals.disturbed();
    workload.wanted(clock.seconds());
    TracedWorkload traced = workload.trace();
    Optional<Reclamation> record =
        cluster.records(Optional.of(traced.namespace())).stream()
            .filter(Reclamation::hasActed)
            .filter(each -> isOf(each, traced))
            .findFirst();
    record.ifPresentOrElse(
        found -> cluster.requestRestore(found.namespace(), found.name()),
        () -> write(traced, traced.kind().runningValue(), PEOPLE));
  }

  private static boolean isOf(Reclamation record, TracedWorkload traced) {
    return record
        .status()
        .filter(progress -> progress.owner().name().equals(traced.name()))
        .isPresent();
  }

  private void write(TracedWorkload traced, Optional<String> value, String manager) {
    cluster.writeOwnerField(
        traced.namespace(),
        traced.kind().topOwner(traced.name()),
        traced.kind().field(),
        value,
        manager);
  }

  private void end(SimulatedWorkload workload) {
    TracedWorkload traced = workload.trace();
    settle(workload);
    boolean isStopped = workload.phase() == LifePhase.STOPPED;
    if (traced.kind() == WorkloadKind.TRAINING
        && (isStopped || workload.phase() == LifePhase.RUNNING)) {
      totals.trainingCompleted();
    }
    freed.close(workload, clock.seconds());
    freed.endUnit(workload, clock.seconds());
    workload.ended(clock.seconds());
    cluster.deleteOwner(traced.namespace(), traced.kind().topOwner(traced.name()));
    if (traced.kind() == WorkloadKind.SERVICE) {
      cluster.deleteOwner(traced.namespace(), traced.kind().podOwner(traced.name()));
    }
  }

  /** What is known of a workload when it ends, or the simulation does. */
  private void settle(SimulatedWorkload workload) {
    long now = clock.seconds();
    switch (workload.phase()) {
      case RUNNING -> stopUsing(workload);
      case PENDING -> {
        totals.unserved(workload.trace(), now - workload.since());
        preemptedWait(workload, now).ifPresent(totals::notReturned);
      }
      case RETURNING -> {
        totals.unserved(workload.trace(), now - workload.since());
        totals.notReturned(now - workload.since());
      }
      case FUTURE, STOPPED, ENDED -> {}
    }
    if (workload.phase() != LifePhase.FUTURE && workload.phase() != LifePhase.ENDED) {
      totals.missed(workload.missedSeconds(now) * workload.trace().usedGpus());
    }
  }

  /**
   * How long a user waited for a preempted workload, which is pending without a request; empty if
   * it was not needed.
   */
  private OptionalLong preemptedWait(SimulatedWorkload workload, long now) {
    OptionalLong needed = workload.neededAt();
    if (policy != ComparedPolicy.PREEMPTION || needed.isEmpty() || needed.getAsLong() >= now) {
      return OptionalLong.empty();
    }
    totals.disturbed();
    return OptionalLong.of(now - needed.getAsLong());
  }

  private void stopUsing(SimulatedWorkload workload) {
    totals.used(workload, workload.runningSince(), clock.seconds());
    workload.settle(clock.seconds());
  }

  /** A cycle of a policy that is not of this program. */
  void applyRule() {
    for (SimulatedHolder holding : agents.all()) {
      SimulatedWorkload workload = holding.workload();
      if (workload.phase() == LifePhase.RUNNING && rule.test(workload, clock.seconds())) {
        write(workload.trace(), workload.trace().kind().stoppedValue(), policy.code());
      }
    }
  }

  private SimulationResult finish() {
    long now = clock.seconds();
    workloads.forEach(this::settle);
    for (SimulatedHolder holding : agents.all()) {
      totals.held(holding.devices().size(), holding.since(), now);
    }
    freed.closeAll(now);
    return new SimulationResult(
        seed,
        policy,
        now / 3_600.0,
        trace.gpus(),
        totals.usage(),
        totals.pending(),
        totals.pendingByPriority(),
        totals.returns(),
        totals.work(),
        totals.reclaims(),
        totals.actions(),
        RunTotals.freed(freed),
        totals.series());
  }

  SimulatedCluster cluster() {
    return cluster;
  }

  /** What the cluster does with the pods of the workloads. */
  private final class Events implements PodListener {
    @Override
    public void onCreated(PodRef pod, PodSpec spec) {
      pods.put(pod.uid(), workloadOf(spec));
      pendingPods++;
      workloadOf(spec).created(clock.seconds());
    }

    @Override
    public void onBound(PodRef pod, PodSpec spec, List<GpuUuid> devices) {
      SimulatedWorkload workload = workloadOf(spec);
      long now = clock.seconds();
      pendingPods--;
      int used = workload.trace().usedGpus(number(spec, POD));
      var holding = new SimulatedHolder(pod, workload, devices, used, now);
      freeGpus.add(nodeOf(holding), -devices.size());
      agents.add(holding);
      freed.take(workload, devices, nodeOf(holding), now);
      if (workload.isCompletedByPod()) {
        started(workload, now);
        plan(workload.endsAt(), EventType.END, indexOf(spec));
      }
    }

    private void started(SimulatedWorkload workload, long now) {
      long waited = now - workload.since();
      totals.bound(workload.trace(), waited);
      if (workload.phase() == LifePhase.RETURNING) {
        totals.returned(waited);
      }
      preemptedWait(workload, now).ifPresent(totals::returned);
      workload.bound(now);
    }

    @Override
    public void onTerminating(PodRef pod, PodSpec spec) {
      plan(clock.seconds() + spec.grace().toSeconds(), EventType.TICK, -1, -1);
      SimulatedWorkload workload = workloadOf(spec);
      workload.podTerminates();
      if (workload.phase() == LifePhase.RUNNING) {
        reclaimed(indexOf(spec), workload);
      }
    }

    private void reclaimed(int index, SimulatedWorkload workload) {
      stopUsing(workload);
      long now = clock.seconds();
      WorkInterruption what = workload.reclaimed(now);
      totals.reclaimed(
          workload.trace(),
          policy == ComparedPolicy.PREEMPTION ? PREEMPT : workload.trace().kind().action(),
          what,
          now);
      if (policy == ComparedPolicy.PREEMPTION) {
        return; // its controller recreates the pod at once, whether it is needed or not
      }
      what.wantedAfter()
          .ifPresentOrElse(
              after -> plan(now + after, EventType.WANT, index),
              () -> plan(workload.endsAt(), EventType.END, index));
    }

    @Override
    public void onGone(PodRef pod, PodSpec spec) {
      pods.remove(pod.uid());
      long now = clock.seconds();
      agents
          .remove(pod)
          .ifPresentOrElse(
              holding -> {
                totals.held(holding.devices().size(), holding.since(), now);
                freeGpus.add(nodeOf(holding), holding.devices().size());
                freed.release(holding.workload(), holding.devices(), now);
                if (holding.workload().reclaimedAt().isPresent()
                    && holding.workload().phase() != LifePhase.ENDED) {
                  freed.free(
                      holding.workload(),
                      holding.devices(),
                      nodeOf(holding),
                      Optional.ofNullable(units.remove(pod.uid()))
                          .filter(unit -> unit.phase() != LifePhase.ENDED),
                      now);
                }
              },
              () -> pendingPods--);
    }

    private static int indexOf(PodSpec spec) {
      return number(spec, INDEX);
    }

    private static int number(PodSpec spec, String label) {
      return Integer.parseInt(spec.labels().getOrDefault(label, ""));
    }

    private SimulatedWorkload workloadOf(PodSpec spec) {
      return workloads.get(indexOf(spec));
    }
  }
}
