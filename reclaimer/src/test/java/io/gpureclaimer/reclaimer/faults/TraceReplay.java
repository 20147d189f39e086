package io.gpureclaimer.reclaimer.faults;

import static java.util.Objects.requireNonNull;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.GpuHolder;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Plays real traces to the real program: pods hold GPUs for as long as their trace lasts, agents
 * sample what the trace says and record it, a Prometheus stores it, and the program judges, warns
 * and evicts. A pod that was evicted comes back when its trace works again.
 */
final class TraceReplay implements AutoCloseable {
  private static final String NAMESPACE = "traces";
  private static final Duration PASS = Duration.ofSeconds(19);
  private static final int PASSES_PER_CYCLE = 3;
  private static final int GPUS_PER_NODE = 8;
  private static final String NO_LIMIT = "1000";

  private final SkewedClocks time = new SkewedClocks();
  private final SimulatedCluster cluster = new SimulatedCluster(time::now);
  private final Map<String, TracedPod> workloads = new HashMap<>();
  private final List<SimulatedAgent> agents;
  private final SimulatedPrometheus prometheus;
  private final WiredReplica replica;
  private final List<ReplayedAction> acts = new ArrayList<>();
  private final Set<String> running = new HashSet<>();
  private final Map<String, Instant> backAt = new HashMap<>();

  /**
   * @param idleAfter what the namespace asks for
   * @param loss what gets lost on the way to the Prometheus
   * @param real answers the questions, if there is one
   */
  TraceReplay(
      List<TracedPod> all, Duration idleAfter, Loss loss, long seed, Optional<RealServer> real) {
    this(all, always(idleAfter), loss, seed, real);
  }

  /** Pods are read as those of a large cluster if {@code traces.selectiveFrom} says so. */
  TraceReplay(
      List<TracedPod> all,
      Map<String, String> policy,
      Loss loss,
      long seed,
      Optional<RealServer> real) {
    this(all, policy, loss, seed, real, Integer.getInteger("traces.selectiveFrom", 1_000));
  }

  /**
   * @param policy what is annotated on the namespace
   * @param selectiveFrom from how many pods on they are read as those of a large cluster
   */
  TraceReplay(
      List<TracedPod> all,
      Map<String, String> policy,
      Loss loss,
      long seed,
      Optional<RealServer> real,
      int selectiveFrom) {
    int gpus = all.stream().mapToInt(workload -> workload.traces().size()).sum();
    all.forEach(workload -> workloads.put(workload.name(), workload));
    cluster.addNamespace(NAMESPACE, policy);
    agents = IntStream.rangeClosed(0, gpus / GPUS_PER_NODE).mapToObj(this::node).toList();
    prometheus = new SimulatedPrometheus(time, new Random(seed), real);
    prometheus.loseScrapes(loss.scrapes());
    prometheus.loseSamples(loss.samples());
    Map<String, Object> properties = new HashMap<>();
    properties.put("reclaimer.cluster", "embedded");
    properties.put("prometheus.url", prometheus.address().toString());
    properties.put("prometheus.selective-from", selectiveFrom);
    properties.putAll(ExpectedLimits.NOTHING_ELSE_IN_THE_WAY);
    properties.put("plan.max-evictions", NO_LIMIT);
    replica =
        WiredReplica.start(
            "replay",
            new FaultyApi(cluster, pod -> evicted(pod.ref())),
            time.ahead(() -> Duration.ZERO),
            properties);
  }

  /**
   * Shares that get lost at random.
   *
   * @param scrapes of the scrapes of one agent, whole
   * @param samples of the single samples
   */
  record Loss(double scrapes, double samples) {
    static final Loss NONE = new Loss(0, 0);
  }

  /** The policy of mode {@code always} with this idle time. */
  static Map<String, String> always(Duration idleAfter) {
    return Map.of(Annotations.MODE, "always", Annotations.IDLE_AFTER, minutes(idleAfter));
  }

  /** A duration as annotations have it. */
  static String minutes(Duration duration) {
    return duration.toMinutes() + "m";
  }

  Instant now() {
    return time.now();
  }

  <T> T part(Class<T> type) {
    return replica.part(type);
  }

  /** The cluster as it is now. */
  ClusterView cluster() {
    return cluster.view();
  }

  private SimulatedAgent node(int number) {
    String name = "node-" + number;
    cluster.addNode(
        NodeSpec.of(
            name,
            IntStream.range(0, GPUS_PER_NODE)
                .mapToObj(gpu -> new GpuUuid("GPU-" + number + "-" + gpu))
                .toList()));
    return new SimulatedAgent(name, time, true);
  }

  /** From the first sample to the last. */
  List<ReplayedAction> run() {
    Instant end =
        workloads.values().stream().map(TracedPod::to).max(Instant::compareTo).orElseThrow();
    for (int pass = 0; time.now().isBefore(end); pass++) {
      time.moveTo(time.now().plus(PASS));
      comeAndGo();
      cluster.tick();
      agents.forEach(agent -> agent.pass(heldOn(agent.node())));
      agents.forEach(prometheus::scrape);
      if (pass % PASSES_PER_CYCLE == 0) {
        var _ = replica.run();
      }
    }
    return List.copyOf(acts);
  }

  private void comeAndGo() {
    for (TracedPod workload : workloads.values()) {
      boolean due =
          !time.now().isBefore(backAt.getOrDefault(workload.name(), workload.from()))
              && time.now().isBefore(workload.to());
      boolean there = running.contains(workload.name());
      if (due && !there && !isNamed(workload.name())) {
        var _ = cluster.submit(PodSpec.bare(NAMESPACE, workload.name(), workload.traces().size()));
        running.add(workload.name());
      } else if (there && !time.now().isBefore(workload.to())) {
        running.remove(workload.name());
        cluster.view().pods().stream()
            .filter(pod -> pod.ref().name().equals(workload.name()))
            .forEach(pod -> cluster.delete(pod.ref()));
      }
    }
  }

  private boolean isNamed(String name) {
    return cluster.view().pods().stream().anyMatch(pod -> pod.ref().name().equals(name));
  }

  /** What an agent can observe: a GPU of which the trace says nothing at that time is not seen. */
  private List<SimulatedAgent.SampledHolder> heldOn(String node) {
    Map<PodRef, Integer> indexes = new HashMap<>();
    var held = new ArrayList<SimulatedAgent.SampledHolder>();
    for (GpuHolder holder : cluster.holders()) {
      int index = indexes.merge(holder.pod(), 1, Integer::sum) - 1;
      TracedPod workload = workload(holder.pod());
      if (holder.node().equals(node) && workload.traces().get(index).isKnownAt(time.now())) {
        held.add(
            new SimulatedAgent.SampledHolder(
                holder.pod(), holder.device(), index, workload.life()));
      }
    }
    return held;
  }

  private TracedPod workload(PodRef pod) {
    return requireNonNull(workloads.get(pod.name()));
  }

  private void evicted(PodRef pod) {
    TracedPod workload = workload(pod);
    acts.add(new ReplayedAction(workload, time.now()));
    running.remove(pod.name());
    backAt.put(pod.name(), workload.nextWork(time.now()));
  }

  @Override
  public void close() {
    replica.close();
    prometheus.close();
  }
}
