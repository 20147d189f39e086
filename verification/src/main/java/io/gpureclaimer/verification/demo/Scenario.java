package io.gpureclaimer.verification.demo;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.verification.demo.LoadSchedule.LoadPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who does what in the demo. Two nodes are full; somebody forgot a notebook; somebody else comes
 * and wants a GPU. After the end guests come and go.
 */
final class Scenario {
  static final String FORGOTTEN = "research/notebook-ben";
  static final String NEWCOMER = "research/train-vision";

  /** The pods that use their GPUs, which nobody may ever warn, except in a real pause. */
  static final List<String> ALWAYS_BUSY =
      List.of("research/train-llm", "research/notebook-ana", "batch/evaluate");

  static final Duration IDLE_AFTER = Duration.ofSeconds(60);
  static final Duration WARN_BEFORE = Duration.ofSeconds(20);
  static final Duration END = Duration.ofSeconds(105);

  private static final String PRODUCT = "nvidia.com/gpu.product";
  private static final String BIG = "NVIDIA-H100-80GB-HBM3";
  private static final Duration NEWCOMER_ARRIVES = Duration.ofSeconds(50);

  private final SimulatedCluster cluster;
  private final Map<String, LoadPhase> loads = new HashMap<>();

  /** Whose work is done at the end. */
  private final List<PodRef> finished = new ArrayList<>();

  private final LoadSchedule routine;
  private boolean newcomerIsHere;

  Scenario(SimulatedCluster cluster) {
    this.cluster = cluster;
    this.routine = new LoadSchedule(this::submit, cluster::delete);
  }

  /** The labels of a node with the large GPUs. */
  static Map<String, String> bigNode() {
    return Map.of(PRODUCT, BIG);
  }

  /** Everybody who is there when the curtain rises. */
  void begin() {
    cluster.addNamespace("research", Map.of(Annotations.MODE, "on-demand"));
    cluster.addNamespace("batch", Map.of(Annotations.MODE, "notify"));
    cluster.addNamespace("serving", Map.of(Annotations.MODE, "always"));
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
        PodSpec.bare("serving", "chat-7d9f", 1).ownedBy(OwnerSpec.OwnerKind.REPLICA_SET, "chat"),
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
    return spec.withGrace(Duration.ofSeconds(3))
        .withPlacement(new Placement(bigNode(), List.of(), false));
  }
}
