package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pending pods with rules about other pods, in a plan. */
class RestrictedPodsTest {
  private static final String HOST = "kubernetes.io/hostname";
  private static final String MESSAGE =
      "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't match pod"
          + " anti-affinity rules. preemption: 0/2 nodes are available: 2 No preemption victims"
          + " found for incoming pod.";
  private static final PodRules APART =
      new PodRules(
          List.of(),
          List.of(
              new PodTerm(
                  Optional.of(List.of(new LabelRequirement("app", "In", Set.of("train")))),
                  Set.of("ml"),
                  Optional.empty(),
                  HOST)),
          List.of(),
          List.of(),
          Optional.empty());

  private final List<PodView> pods = new ArrayList<>();
  private final List<Due> due = new ArrayList<>();
  private final List<Neighbor> neighbors = new ArrayList<>();

  /** On node-1, where one GPU would suffice, runs another pod of the application. */
  @Test
  void reclaimsWhereTheSchedulerWouldPlaceThePod() {
    idle("cheap", "node-1", 1, "other");
    running("sibling", "node-1", 3, "train");
    idle("costly", "node-2", 4, "other");
    pending("w", APART, MESSAGE);

    assertThat(outcomes())
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-2: Pod ml/costly");
  }

  @Test
  void reclaimsNothing_whereARuleForbidsEveryNode_butStillForAnotherPodOfThatSize() {
    idle("cheap", "node-1", 4, "other");
    neighbors.add(neighbor("daemon", Optional.of("node-1"), "train", PodRules.NONE));
    running("x", "node-2", 4, "train");
    pending("w", APART, MESSAGE);
    pending("z", PodRules.NONE, "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");

    assertThat(outcomes())
        .containsExactly(
            "w: impossible: the idle workloads that may be reclaimed for a pending pod now (1)"
                + " cannot free 1 GPU where it may run",
            "z: reclaiming: to be reclaimed for it, on node-1: Pod ml/cheap");
  }

  @Test
  void twoPodsThatMustBeApart_areServedOnTwoNodes() {
    idle("a", "node-1", 2, "other");
    idle("b", "node-1", 2, "other");
    idle("c", "node-2", 4, "other");
    pending("v", APART, MESSAGE);
    pending("w", APART, MESSAGE);

    assertThat(outcomes())
        .containsExactly(
            "v: reclaiming: to be reclaimed for it, on node-1: Pod ml/a",
            "w: reclaiming: to be reclaimed for it, on node-2: Pod ml/c");
  }

  @Test
  void servesAGroupWhosePodsMustBeApart_onTwoNodes() {
    idle("a", "node-1", 4, "other");
    idle("b", "node-2", 4, "other");
    group(APART);

    assertThat(outcomes())
        .containsExactly(
            "gang (group), 2 pods: reclaiming: to be reclaimed for it, on node-1, node-2: Pod ml/a,"
                + " Pod ml/b");
  }

  /** One node would suffice for one of them. */
  @Test
  void reclaimsNothingForAGroup_ofWhichOnePodCouldNotRun() {
    idle("a", "node-1", 4, "other");
    running("x", "node-2", 4, "other");
    group(APART);

    assertThat(outcomes())
        .containsExactly(
            "gang (group), 2 pods: impossible: the idle workloads that may be reclaimed for a pending"
                + " pod now (1) cannot free 2 GPUs where it may run");
  }

  @Test
  void servesAGroupWhosePodsMustBeTogether_onOneNode_althoughTwoWouldCostLess() {
    idle("cheap", "node-1", 1, "other");
    running("x", "node-1", 3, "other");
    idle("b", "node-2", 2, "other");
    running("y", "node-2", 2, "other");
    group(new PodRules(APART.antiAffinity(), List.of(), List.of(), List.of(), Optional.empty()));

    assertThat(outcomes())
        .containsExactly(
            "gang (group), 2 pods: reclaiming: to be reclaimed for it, on node-2: Pod ml/b");
  }

  private void group(PodRules rules) {
    for (String name : List.of("v", "w")) {
      pods.add(pod(name).in("gang").waiting(ago("4m"), MESSAGE).draw());
      neighbors.add(neighbor(name, Optional.empty(), "train", rules));
    }
  }

  private void idle(String name, String node, int gpus, String app) {
    due.add(PendingSentences.due(pod(name).on(node).gpus(gpus)));
    neighbors.add(neighbor(name, Optional.of(node), app, PodRules.NONE));
  }

  private void running(String name, String node, int gpus, String app) {
    pods.add(pod(name).on(node).gpus(gpus).draw());
    neighbors.add(neighbor(name, Optional.of(node), app, PodRules.NONE));
  }

  private void pending(String name, PodRules rules, String message) {
    pods.add(pod(name).waiting(ago("4m"), message).draw());
    neighbors.add(neighbor(name, Optional.empty(), "train", rules));
  }

  private static Neighbor neighbor(String uid, Optional<String> node, String app, PodRules rules) {
    return new Neighbor(uid, "ml", Map.of("app", app), node, rules);
  }

  private List<String> outcomes() {
    List<NodeView> nodes = List.of(node("node-1"), node("node-2"));
    return PendingSentences.of(
        due, pods, nodes, SchedulingFacts.NONE.with(Neighbors.of(neighbors, nodes, Map.of())));
  }

  private static NodeView node(String name) {
    return new NodeView(name, 4, Map.of(HOST, name), List.of(), true);
  }
}
