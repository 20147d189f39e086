package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.policy.CheckpointTargets;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A small cluster with one node of eight GPUs, its agents, and one replica that leads. Workloads
 * are idle after an hour and warned a quarter of an hour before, as {@link JudgeScenario#DEFAULTS}
 * has it.
 */
public final class SmallCluster {
  public static final String NAMESPACE = "research";
  static final CheckpointTargets HOOKS = CheckpointTargets.of(List.of(".svc.cluster.local"));
  static final PolicyDefaults DEFAULTS = JudgeScenario.DEFAULTS.calling(HOOKS);
  static final Duration IDLE_AFTER = JudgeScenario.IDLE_AFTER;
  public static final Duration UNTIL_WARNED = IDLE_AFTER.minus(DEFAULTS.warnBefore());
  static final Duration GRACE = DEFAULTS.warnBefore();

  private static final Duration SAMPLING = Duration.ofSeconds(10);

  public final VirtualClock clock = new VirtualClock();
  public final SimulatedCluster cluster = new SimulatedCluster(clock);
  final FakeAgents agents = new FakeAgents(cluster, clock);
  final FakeMessenger messenger = new FakeMessenger();
  final FakeHooks hooks = new FakeHooks(clock);
  final InMemoryReplica replica = InMemoryReplica.leading("replica-1", this);
  final ApiInterceptor wire = replica.wire();

  private SmallCluster(String mode, Map<String, String> labels) {
    cluster.addNode(
        new NodeSpec(
            "node-1",
            IntStream.range(0, 8).mapToObj(i -> new GpuUuid("GPU-" + i)).toList(),
            labels,
            List.of()));
    cluster.addNamespace(NAMESPACE, mode.isEmpty() ? Map.of() : Map.of(Annotations.MODE, mode));
  }

  /** A namespace that asks for this mode. */
  public static SmallCluster in(String mode) {
    return new SmallCluster(mode, Map.of());
  }

  /** The same, whose node has this label. */
  static SmallCluster withLabel(String mode, String key, String value) {
    return new SmallCluster(mode, Map.of(key, value));
  }

  /** A namespace that asks for nothing. */
  static SmallCluster withoutAnnotations() {
    return new SmallCluster("", Map.of());
  }

  /** A bare pod with one GPU, which worked until now. */
  public PodRef pod(String name) {
    return pod(name, 1);
  }

  public PodRef pod(String name, int gpus) {
    return pod(name, gpus, UnaryOperator.identity());
  }

  public PodRef pod(String name, int gpus, UnaryOperator<PodSpec> with) {
    PodRef pod = cluster.submit(with.apply(PodSpec.bare(NAMESPACE, name, gpus)));
    cluster.tick();
    agents.work(pod);
    agents.rest(pod);
    return pod;
  }

  /** A pod that was warned a moment ago. */
  PodRef warnedPod(String name) {
    PodRef pod = pod(name);
    pass(UNTIL_WARNED);
    replica.run();
    return pod;
  }

  /** A pod that the next cycle finds due. */
  PodRef duePod(String name) {
    PodRef pod = warnedPod(name);
    pass(GRACE);
    wire.takeCalls();
    return pod;
  }

  /** Lets time pass, with a tick of the controllers and a sample of every agent now and then. */
  public void pass(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minus(SAMPLING)) {
      clock.advance(left.compareTo(SAMPLING) < 0 ? left : SAMPLING);
      cluster.tick();
      agents.observe();
    }
  }

  public CycleReport cycle() {
    return replica.run();
  }

  void annotate(PodRef pod, String key, String value) {
    var _ = cluster.annotate(view(pod), Map.of(key, Optional.of(value)));
  }

  void mode(String mode) {
    cluster.annotateNamespace(NAMESPACE, Map.of(Annotations.MODE, Optional.of(mode)));
  }

  PodView view(PodRef pod) {
    return cluster.fresh(pod).orElseThrow();
  }

  /** What was written under our prefix, without it. */
  public Map<String, String> notes(PodRef pod) {
    return view(pod).annotations().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(Annotations.PREFIX))
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().substring(Annotations.PREFIX.length()),
                Map.Entry::getValue));
  }

  boolean isEvicted(PodRef pod) {
    return cluster.fresh(pod).filter(view -> !view.terminating()).isEmpty();
  }

  /** The reasons of all Events about a pod, oldest first. */
  List<String> reported(PodRef pod) {
    return cluster.events().stream()
        .filter(event -> event.pod().equals(pod))
        .map(event -> event.notice().reason())
        .toList();
  }

  String lastMessage() {
    return messages().getLast();
  }

  List<String> messages() {
    return cluster.events().stream().map(event -> event.notice().message()).toList();
  }
}
