package io.gpureclaimer.reclaimer.cluster;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which pending pods a NodeClaim may be for. */
class NodeClaimAssignmentTest {
  private final Map<PodRef, List<ProvisioningNotice>> announced = new HashMap<>();

  @Test
  void assignsAsManyDevicesAsItRequests_byPriorityThenAge() {
    assertThat(
            assigned(
                List.of(gpus("c", 4)),
                waiting("young", 2).draw(),
                waiting("old", 2).waiting(ago("2h")).draw(),
                waiting("high", 2).priority(5).draw()))
        .isEqualTo(Map.of("high", "c", "old", "c"));
  }

  @Test
  void passesAPodThatNeedsMoreThanIsLeft() {
    assertThat(
            assigned(
                List.of(gpus("c", 4)),
                waiting("large", 8).priority(5).draw(),
                waiting("w", 4).draw()))
        .isEqualTo(Map.of("w", "c"));
  }

  @Test
  void takesTheNodeWithTheFewestDevicesLeft() {
    assertThat(
            assigned(
                List.of(gpus("a", 8), gpus("b", 4)),
                waiting("first", 4).priority(5).draw(),
                waiting("second", 8).draw()))
        .isEqualTo(Map.of("first", "b", "second", "a"));
  }

  @Test
  void countsEachResourceByItself() {
    NodeClaim claim = claim("c", Map.of(ResourceNames.MIG_PREFIX + "1g.10gb", 2));

    assertThat(
            assigned(
                List.of(claim),
                waiting("whole", 1).draw(),
                pod("x").slices("1g.10gb", 1).waiting(ago("1h")).draw(),
                pod("y").slices("1g.10gb", 2).waiting(ago("1h")).draw(),
                pod("z").slices("2g.20gb", 1).waiting(ago("1h")).draw()))
        .isEqualTo(Map.of("x", "c"));
  }

  @Test
  void subtractsWhatPodsOnItsNodeHoldAlready() {
    assertThat(
            assigned(
                List.of(gpus("c", 8)),
                pod("bound").gpus(4).on("c").draw(),
                pod("elsewhere").gpus(4).on("node-1").draw(),
                waiting("large", 8).priority(5).draw(),
                waiting("v", 4).draw(),
                waiting("w", 4).draw()))
        .isEqualTo(Map.of("v", "c"));
  }

  @Test
  void leavesOutPodsThatItDoesNotSuit_andThoseThatEnd() {
    Placement other = new Placement(Map.of("pool", "other"), List.of(), false);

    assertThat(
            assigned(
                List.of(gpus("c", 8)),
                waiting("elsewhere", 8).placement(other).draw(),
                waiting("ending", 8).terminating().draw(),
                pod("gated").gpus(8).unscheduled().draw()))
        .isEmpty();
  }

  @Test
  void prefersPodsThatKarpenterHasNominated_toThoseThatItCannotServe() {
    announce("nominated", true);
    announce("refused", false);
    PodView[] pods = {
      waiting("refused", 4).priority(9).draw(),
      waiting("preempting", 4).priority(9).nominated("node-1").draw(),
      waiting("ours", 4).priority(9).nominatedByReclaimer("node-1").draw(),
      waiting("unsaid", 4).priority(5).draw(),
      waiting("nominated", 4).draw()
    };

    assertThat(assigned(List.of(gpus("c", 4)), pods)).isEqualTo(Map.of("nominated", "c"));
    assertThat(assigned(List.of(gpus("c", 8)), pods))
        .isEqualTo(Map.of("nominated", "c", "unsaid", "c"));
  }

  @Test
  void readsTheNewestEventOfKarpenterAlone() {
    announced.put(
        waiting("again", 4).draw().ref(),
        List.of(
            new ProvisioningNotice("Karpenter", false, ago("9m"), ago("8m")),
            new ProvisioningNotice("Karpenter", true, ago("7m"), ago("7m")),
            new ProvisioningNotice("Cluster Autoscaler", false, ago("1m"), ago("1m"))));

    assertThat(
            assigned(
                List.of(gpus("c", 4)),
                waiting("unsaid", 4).priority(5).draw(),
                waiting("again", 4).draw()))
        .isEqualTo(Map.of("again", "c"));
  }

  private void announce(String name, boolean provides) {
    announced.put(
        waiting(name, 4).draw().ref(),
        List.of(
            new ProvisioningNotice(ProvisioningNotice.KARPENTER, provides, ago("1m"), ago("1m"))));
  }

  private Map<String, String> assigned(List<NodeClaim> claims, PodView... pods) {
    return NodeClaimAssignment.of(claims, Arrays.asList(pods), announced).entrySet().stream()
        .collect(
            Collectors.toMap(each -> each.getKey().name(), each -> each.getValue().node().name()));
  }

  private static NodeClaim gpus(String name, int count) {
    return claim(name, Map.of(ResourceNames.GPU, count));
  }

  private static NodeClaim claim(String name, Map<String, Integer> devices) {
    return new NodeClaim(
        NOW, new NodeView(name, devices, Map.of("pool", "gpu"), List.of(), false), List.of());
  }

  private static PodDraft waiting(String name, int gpus) {
    return pod(name).gpus(gpus).waiting(ago("1h"));
  }
}
