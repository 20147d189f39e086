package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pending pods of groups of which it is known how many pods have to run. */
class PendingGroupsTest {
  private static final List<NodeView> NODES = List.of(node("node-1", 4), node("node-2", 4));
  private static final GroupId TRAIN = new GroupId("ml", new Group("group", "train"));
  private static final List<Due> IDLE = List.of(due("a", "node-1"), due("b", "node-2"));

  @Test
  void servesNoGroupWithMissingPods() {
    assertThat(pending(known(3, 2, 0, 0), member("v"), member("w")))
        .containsExactly(
            "train (group), 2 pods: needs-more: its group has 2 of the 3 pods without which it does"
                + " not run");
  }

  @Test
  void servesTheMinimum_whenMorePodsArePending() {
    assertThat(pending(known(2, 3, 0, 0), member("u"), member("v"), member("w")))
        .containsExactly(
            "train (group), 2 pods: reclaiming: to be reclaimed for it, on node-1, node-2: Pod ml/a,"
                + " Pod ml/b",
            "train (group), 1 pod: needs-more: its group runs with 2 pods, and GPUs are freed for"
                + " those first");
  }

  @Test
  void countsPodsThatHaveANode_andThoseWithoutGpus() {
    PodView placed = pod("u").in("train").gpus(4).on("node-1").draw();

    assertThat(pending(List.of(IDLE.get(1)), known(2, 3, 1, 0), placed, member("v"), member("w")))
        .containsExactly(
            "train (group), 1 pod: reclaiming: to be reclaimed for it, on node-2: Pod ml/b",
            "train (group), 1 pod: needs-more: its group runs with 2 pods, and GPUs are freed for"
                + " those first");
    assertThat(pending(known(2, 3, 0, 1), member("v"), member("w")))
        .contains("train (group), 1 pod: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void choosesPodsThatWouldRun_andNeedLeast() {
    PodView large = pod("u").in("train").gpus(8).waiting(ago("4m")).draw();
    PodView lacking = pod("v").in("train").unscheduled().draw();

    assertThat(pending(known(1, 3, 0, 0), large, lacking, member("w")))
        .contains("train (group), 1 pod: reclaiming: to be reclaimed for it, on node-1: Pod ml/a");
  }

  @Test
  void servesPodsAboveTheMinimumAlone() {
    PodView placed = pod("u").in("train").gpus(4).on("node-1").draw();
    PodView lacking = pod("v").in("train").unscheduled().draw();

    assertThat(pending(List.of(IDLE.get(1)), known(1, 3, 1, 0), placed, lacking, member("w")))
        .containsExactlyInAnyOrder(
            "w: reclaiming: to be reclaimed for it, on node-2: Pod ml/b",
            "train (group), 1 pod: needs-more: the scheduler has not said that no node has GPUs for"
                + " it; a scheduling gate or a queue may hold it");
  }

  @Test
  void servesNoGroupOfUnknownSize() {
    assertThat(
            pending(
                new GroupSize(new Minimum.Unread("its PodGroup does not exist"), 2, 0, 0),
                member("v"),
                member("w")))
        .containsExactly("train (group), 2 pods: needs-more: its PodGroup does not exist");
  }

  @Test
  void keepsTheDelayThatKaiHasForTheGroup() {
    var size = new GroupSize(new Minimum.Known(2, Duration.ofMinutes(5)), 2, 0, 0);

    assertThat(pending(size, member("v"), member("w")))
        .containsExactly(
            "train (group), 2 pods: in-grace: pods are served once they have been pending for 5m");
  }

  @Test
  void servesAllPods_whenNothingSaysHowManyAreNeeded() {
    assertThat(pending(new GroupSize(new Minimum.None(), 2, 0, 0), member("v"), member("w")))
        .containsExactly(
            "train (group), 2 pods: reclaiming: to be reclaimed for it, on node-1, node-2: Pod ml/a,"
                + " Pod ml/b");
  }

  @Test
  void servesEachReplicaOfALeaderWorkerSet() {
    assertThat(pending(known(9, 1, 0, 0), replica("serve-0", "0"), replica("serve-1", "1")))
        .containsExactly(
            "serve-0 (leaderworkerset.sigs.k8s.io/group-index), 1 pod: reclaiming: to be reclaimed"
                + " for it, on node-1: Pod ml/a",
            "serve-1 (leaderworkerset.sigs.k8s.io/group-index), 1 pod: reclaiming: to be reclaimed"
                + " for it, on node-2: Pod ml/b");
  }

  private static PodView replica(String name, String index) {
    return pod(name)
        .gpus(4)
        .traits(
            new PodTraits(
                Map.of("leaderworkerset.sigs.k8s.io/group-index", index),
                false,
                List.of(),
                Optional.of(new Group("leaderworkerset.sigs.k8s.io/name", "serve"))))
        .waiting(ago("4m"))
        .draw();
  }

  private static GroupSize known(int minimum, int members, int placed, int pendingWithoutGpus) {
    return new GroupSize(new Minimum.Known(minimum), members, placed, pendingWithoutGpus);
  }

  private static List<String> pending(GroupSize size, PodView... others) {
    return pending(IDLE, size, others);
  }

  private static List<String> pending(List<Due> idle, GroupSize size, PodView... others) {
    return PendingSentences.of(
        idle, List.of(others), NODES, SchedulingFacts.NONE.with(Map.of(TRAIN, size)));
  }

  private static PodView member(String name) {
    return pod(name).in("train").gpus(4).waiting(ago("4m")).draw();
  }

  private static Due due(String name, String node) {
    return PendingSentences.due(pod(name).gpus(4).on(node));
  }
}
