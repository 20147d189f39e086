package io.gpureclaimer.verification.demo;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.verification.demo.LoadSchedule.LoadPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who does what in the demo. Two nodes are full. One notebook and one Deployment are idle. Two jobs
 * arrive: one gets the GPU of the notebook, the other that of the Deployment, which is restored
 * when the job ends. After the end, further pods come and go.
 */
final class Scenario {
  static final String FORGOTTEN = "research/notebook-ben";
  static final String NEWCOMER = "research/train-vision";

  /** A Deployment that is idle; its GPU is needed by a job for a while. */
  static final OwnerSpec CHAT = new OwnerSpec(OwnerSpec.OwnerType.DEPLOYMENT, "chat");

  static final String CHAT_NAMESPACE = "serving";
  static final String JOB = "batch/embed";

  /** The pods that use their GPUs, which must never be warned, except in a real pause. */
  static final List<String> ALWAYS_BUSY =
      List.of("research/train-llm", "research/notebook-ana", "batch/evaluate");

  static final Duration IDLE_AFTER = Duration.ofSeconds(60);
  static final Duration WARN_BEFORE = Duration.ofSeconds(20);
  static final Duration END = Duration.ofSeconds(110);

  /** How long no pod must have been pending before a Deployment is restored. */
  static final Duration DEMAND_SETTLES = Duration.ofSeconds(4);

  private static final String PRODUCT = "nvidia.com/gpu.product";
  private static final String BIG = "NVIDIA-H100-80GB-HBM3";
  private static final String SMALL = "Tesla-T4";
  private static final Duration NEWCOMER_ARRIVES = Duration.ofSeconds(50);
  private static final Duration JOB_ARRIVES = Duration.ofSeconds(54);
  private static final Duration JOB_ENDS = Duration.ofSeconds(88);

  private final SimulatedCluster cluster;
  private final Map<String, LoadPhase> loads = new HashMap<>();

  /** Whose work is done at the end. */
  private final List<PodRef> finished = new ArrayList<>();

  private final LoadSchedule routine;
  private boolean newcomerIsHere;
  private Optional<PodRef> job = Optional.empty();
  private boolean jobIsOver;

  Scenario(SimulatedCluster cluster) {
    this.cluster = cluster;
    this.routine = new LoadSchedule(this::submit, cluster::delete);
  }

  /** The labels of a node with the large GPUs. */
  static Map<String, String> bigNode() {
    return Map.of(PRODUCT, BIG);
  }

  /** The labels of a node with the small GPUs. */
  static Map<String, String> smallNode() {
    return Map.of(PRODUCT, SMALL);
  }

  /** Everybody who is there when the curtain rises. */
  void begin() {
    cluster.addNamespace("research", Map.of(Annotations.MODE, "on-demand"));
    cluster.addNamespace("batch", Map.of(Annotations.MODE, "notify"));
    cluster.addNamespace(
        "serving", Map.of(Annotations.MODE, "on-demand", Annotations.RESTORE, "on-demand-clear"));
    cluster.addNamespace("sandbox", Map.of());
    submit(onBigNode(PodSpec.bare("research", "train-llm", 4)), LoadPhase.steady(93, 71_000));
    submit(
        onBigNode(PodSpec.bare("research", "notebook-ana", 1)),
        LoadPhase.bursts(55, 9_000, Duration.ofSeconds(25), Duration.ofSeconds(6)));
    submit(onBigNode(PodSpec.bare("research", "notebook-ben", 1)), LoadPhase.none(61_000));
    submit(
        onBigNode(PodSpec.bare("research", "notebook-cleo", 1))
            .withAnnotations(Map.of(Annotations.EXCLUDE, "true")),
        LoadPhase.none(20_000));
    submit(
        onBigNode(PodSpec.bare("research", "notebook-dora", 1)),
        LoadPhase.pause(70, 12_000, Duration.ofSeconds(12), Duration.ofSeconds(72)));
    finished.add(submit(PodSpec.bare("batch", "evaluate", 2), LoadPhase.steady(78, 11_000)));
    submit(
        onSmallNode(PodSpec.bare("serving", "chat-7d9f-k2x8p", 1))
            .withTraits(PodTraits.NONE.withEndpoint("port 8000 (http)"))
            .ownedBy(OwnerSpec.ofDeployment(CHAT.name(), "7d9f")),
        LoadPhase.none(13_500));
    submit(PodSpec.bare("sandbox", "try-out", 1), LoadPhase.none(4_000));
  }

  /** Whatever happens by itself until now. */
  void advance(Duration elapsed) {
    if (!newcomerIsHere && elapsed.compareTo(NEWCOMER_ARRIVES) >= 0) {
      newcomerIsHere = true;
      finished.add(
          submit(
              onBigNode(PodSpec.bare("research", "train-vision", 1)),
              LoadPhase.steady(88, 44_000)));
    }
    if (job.isEmpty() && !jobIsOver && elapsed.compareTo(JOB_ARRIVES) >= 0) {
      job =
          Optional.of(
              submit(onSmallNode(PodSpec.bare("batch", "embed", 1)), LoadPhase.steady(64, 8_000)));
    }
    if (job.isPresent() && elapsed.compareTo(JOB_ENDS) >= 0) {
      cluster.delete(job.get());
      job = Optional.empty();
      jobIsOver = true;
    }
    if (elapsed.compareTo(END) >= 0) {
      finished.forEach(cluster::delete);
      finished.clear();
      routine.advance(elapsed.minus(END));
    }
  }

  /** What the pod does; an owner's replacement does what the first one did. */
  LoadPhase loadOf(PodRef pod) {
    return loads.getOrDefault(pod.toString(), LoadPhase.none(1_000));
  }

  private PodRef submit(PodSpec spec, LoadPhase load) {
    PodRef pod = cluster.submit(spec);
    loads.put(pod.toString(), load);
    return pod;
  }

  static PodSpec onBigNode(PodSpec spec) {
    return on(bigNode(), spec);
  }

  private static PodSpec onSmallNode(PodSpec spec) {
    return on(smallNode(), spec);
  }

  private static PodSpec on(Map<String, String> labels, PodSpec spec) {
    return spec.withGrace(Duration.ofSeconds(3))
        .withPlacement(new Placement(labels, List.of(), false));
  }
}
