package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeClaim;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pending pods that another component is about to serve. NOW is 12:00. */
class OtherComponentsTest {
  private static final List<NodeView> NODES = List.of(node("node-1", 4), node("node-2", 4));
  private static final Due IDLE = due("idle", 4, "node-1");
  private static final PodView BUSY = pod("busy").gpus(4).on("node-2").draw();

  private Duration limit = Duration.ofMinutes(10);
  private PlanHistory history = PlanHistory.none(NOW);
  private SchedulingFacts facts = SchedulingFacts.NONE;

  @Test
  void leavesAPodToTheSchedulerThatPreemptsForIt() {
    assertThat(pending(NOW, nominated("w", "node-2"), BUSY))
        .containsExactly(
            "w: served-by-others until 2026-03-02T12:10:00Z: the scheduler has nominated node-2 for"
                + " it; nothing is reclaimed for it until 2026-03-02T12:10:00Z");
  }

  @Test
  void servesAPod_whenThePreemptionLastsTooLong_whateverItsNode() {
    remember(NOW, nominated("w", "node-2"), BUSY);
    remember(NOW.plusSeconds(300), nominated("w", "node-1"), BUSY);

    assertThat(pending(NOW.plusSeconds(599), nominated("w", "node-1"), BUSY))
        .singleElement()
        .asString()
        .startsWith("w: served-by-others until 2026-03-02T12:10:00Z");
    assertThat(pending(NOW.plusSeconds(600), nominated("w", "node-1"), BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  @Test
  void waitsAgain_afterTheNominationWasGone() {
    remember(NOW, nominated("w", "node-2"), BUSY);
    remember(NOW.plusSeconds(600), waiting("w").draw(), BUSY);

    assertThat(pending(NOW.plusSeconds(630), nominated("w", "node-2"), BUSY))
        .singleElement()
        .asString()
        .startsWith("w: served-by-others until 2026-03-02T12:20:30Z");
  }

  @Test
  void expectsNothingOfANominationOfThisProgram() {
    PodView own = waiting("w").nominatedByReclaimer("node-2").draw();

    assertThat(pending(NOW, own, BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  @Test
  void countsTheGpusOfANominatedPodAsTaken() {
    PodView leaving = pod("leaving").gpus(4).on("node-2").terminating().draw();

    assertThat(pending(NOW, nominated("w", "node-2"), leaving, waiting("v").draw()))
        .contains("v: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
    assertThat(pending(NOW, waiting("w").draw(), leaving))
        .containsExactly("w: enough-free: enough GPUs are free on node-2 already");
  }

  @Test
  void leavesAPodToAnAutoscalerThatAddsANode() {
    announced("w", new ProvisioningNotice("Cluster Autoscaler", true, ago("3m"), ago("1m")));

    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .containsExactly(
            "w: served-by-others until 2026-03-02T12:07:00Z: Cluster Autoscaler announced a node for"
                + " it at 2026-03-02T11:57:00Z; nothing is reclaimed for it until"
                + " 2026-03-02T12:07:00Z");
    assertThat(steps(NOW, waiting("w").draw(), BUSY))
        .containsExactly(new Wait(IDLE, WaitReason.NOT_NEEDED));
  }

  @Test
  void leavesAPodToTheNodeForAnotherPod_whenClusterAutoscalerSaysNothingAboutIt() {
    announced("v", new ProvisioningNotice("Cluster Autoscaler", true, ago("3m"), ago("3m")));
    PodView young = waiting("w").waiting(ago("2m")).draw();
    PodView older = waiting("w").waiting(ago("5m")).draw();

    assertThat(pending(NOW, waiting("v").draw(), young, BUSY))
        .contains(
            "w: served-by-others until 2026-03-02T12:07:00Z: Cluster Autoscaler announced a node for"
                + " pod v at 2026-03-02T11:57:00Z and has not refused it; nothing is reclaimed for"
                + " it until 2026-03-02T12:07:00Z");
    assertThat(pending(NOW, waiting("v").draw(), older, BUSY))
        .anyMatch(each -> each.startsWith("w: served-by-others until 2026-03-02T12:05:00Z"));
  }

  @Test
  void servesAPodBesideTheNodeForAnotherPod_whenItIsRefused_orNotConsidered() {
    PodView announced = waiting("v").draw();
    var node = new ProvisioningNotice("Cluster Autoscaler", true, ago("3m"), ago("3m"));
    PodView silent = waiting("w").waiting(ago("2m")).draw();
    PodView delayed =
        waiting("w")
            .with(Map.of("cluster-autoscaler.kubernetes.io/pod-scale-up-delay", "1h"))
            .waiting(ago("2m"))
            .draw();
    String served = "w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle";

    announced("v", node);
    assertThat(pending(NOW, announced, delayed, BUSY)).contains(served);
    assertThat(pending(NOW, announced, waiting("w").draw(), BUSY))
        .as("pending for longer than the limit")
        .contains(served);

    announced("v", new ProvisioningNotice("Karpenter", true, ago("3m"), ago("3m")));
    assertThat(pending(NOW, announced, silent, BUSY)).contains(served);

    facts =
        new SchedulingFacts(
            Map.of(
                announced.ref(),
                List.of(node),
                silent.ref(),
                List.of(new ProvisioningNotice("Cluster Autoscaler", false, ago("1m"), ago("1m")))),
            Optional.empty());
    assertThat(pending(NOW, announced, silent, BUSY)).contains(served);
  }

  @Test
  void waitsOnceForEachComponent_howeverOftenItAnnounces() {
    announced(
        "w",
        new ProvisioningNotice("Cluster Autoscaler", true, ago("10m"), ago("10m")),
        new ProvisioningNotice("Cluster Autoscaler", true, ago("1m"), ago("1m")));

    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  @Test
  void servesAPod_whenTheAutoscalerCannot_unlessItSaysOtherwiseLater() {
    announced(
        "w",
        new ProvisioningNotice("Karpenter", true, ago("3m"), ago("3m")),
        new ProvisioningNotice("Karpenter", false, ago("2m"), ago("2m")));
    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");

    announced(
        "w",
        new ProvisioningNotice("Karpenter", false, ago("4m"), ago("3m")),
        new ProvisioningNotice("Karpenter", true, ago("2m"), ago("2m")));
    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .singleElement()
        .asString()
        .startsWith("w: served-by-others until 2026-03-02T12:08:00Z: Karpenter announced");
  }

  @Test
  void waitsForOneComponent_whenAnotherRefuses() {
    announced(
        "w",
        new ProvisioningNotice("Cluster Autoscaler", false, ago("1m"), ago("1m")),
        new ProvisioningNotice("Karpenter", true, ago("2m"), ago("2m")));

    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .singleElement()
        .asString()
        .startsWith("w: served-by-others");
  }

  @Test
  void leavesAPodToTheNodeOfANodeClaim_upToTheLimitSinceItsCreation() {
    announced("w", claim("3m").notice());

    assertThat(pending(NOW.plusSeconds(419), waiting("w").draw(), BUSY))
        .containsExactly(
            "w: served-by-others until 2026-03-02T12:07:00Z: Karpenter announced a node for it at"
                + " 2026-03-02T11:57:00Z; nothing is reclaimed for it until 2026-03-02T12:07:00Z");
    assertThat(pending(NOW.plusSeconds(420), waiting("w").draw(), BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  @Test
  void servesAPod_whenKarpenterCannot_afterItsNodeClaim() {
    announced(
        "w",
        claim("3m").notice(),
        new ProvisioningNotice("Karpenter", false, ago("5m"), ago("1m")));

    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  @Test
  void givesKarpenterOneTry_withItsEventsAndNodeClaimsTogether() {
    announced(
        "w",
        new ProvisioningNotice("Karpenter", true, ago("10m"), ago("10m")),
        claim("3m").notice());

    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  @Test
  void leavesAWholeGroup_whenOneOfItsPodsIsServed() {
    announced("v", new ProvisioningNotice("Karpenter", true, ago("2m"), ago("2m")));

    assertThat(
            pending(
                NOW,
                waiting("v").in("train").gpus(2).draw(),
                waiting("w").in("train").gpus(2).draw(),
                BUSY))
        .containsExactly(
            "train (group), 2 pods: served-by-others until 2026-03-02T12:08:00Z: Karpenter announced"
                + " a node for pod v at 2026-03-02T11:58:00Z; nothing is reclaimed for it until"
                + " 2026-03-02T12:08:00Z");
  }

  @Test
  void reclaimsNothingForPendingPods_whileAnnouncementsCannotBeRead() {
    facts = new SchedulingFacts(Map.of(), Optional.of("Events cannot be read: 403"));

    assertThat(pending(NOW, waiting("w").draw(), BUSY))
        .containsExactly(
            "w: on-hold: Pod ml/idle would be reclaimed for it, but not now: it is not known whether"
                + " an autoscaler adds a node for the pending pod: Events cannot be read: 403");
    assertThat(steps(NOW, waiting("w").draw(), BUSY))
        .containsExactly(new Wait(IDLE, WaitReason.OTHERS_UNKNOWN));
  }

  @Test
  void ignoresOtherComponents_whenTheLimitIsZero() {
    limit = Duration.ZERO;
    facts = new SchedulingFacts(Map.of(), Optional.of("Events cannot be read: 403"));

    assertThat(pending(NOW, nominated("w", "node-2"), BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  @Test
  void keepsTheDelayThatIsSetForKai() {
    PodView young =
        pod("w")
            .gpus(4)
            .with(Map.of("kai.scheduler/preemption-delay", "1.5h"))
            .waiting(ago("4m"))
            .draw();

    assertThat(pending(NOW, young, BUSY))
        .containsExactly("w: in-grace: pods are served once they have been pending for 1h 30m");
  }

  @Test
  void ignoresADelayThatKaiIgnores() {
    PodView young =
        pod("w")
            .gpus(4)
            .with(Map.of("kai.scheduler/preemption-delay", "90"))
            .waiting(ago("4m"))
            .draw();

    assertThat(pending(NOW, young, BUSY))
        .containsExactly("w: reclaiming: to be reclaimed for it, on node-1: Pod ml/idle");
  }

  private static NodeClaim claim(String age) {
    return new NodeClaim(ago(age), node("gpu-1", 4), List.of());
  }

  private void announced(String name, ProvisioningNotice... all) {
    facts = new SchedulingFacts(Map.of(waiting(name).draw().ref(), List.of(all)), Optional.empty());
  }

  private void remember(Instant now, PodView... others) {
    history = history.followUps(cluster(others), planner().limits(), now).history();
  }

  private List<String> pending(Instant now, PodView... others) {
    return plan(now, others).pending().stream()
        .map(
            unit ->
                unit.name()
                    + ": "
                    + unit.outcome().code()
                    + unit.until().map(until -> " until " + until).orElse("")
                    + ": "
                    + unit.sentence())
        .toList();
  }

  private List<Step> steps(Instant now, PodView... others) {
    return plan(now, others).entries().stream().map(Plan.PlanEntry::step).toList();
  }

  private Plan plan(Instant now, PodView... others) {
    return planner()
        .plan(
            new PlanInput(
                List.of(IDLE),
                cluster(others),
                Map.of(),
                CircuitBreaker.BreakerStatus.CLOSED,
                history,
                now));
  }

  private Planner planner() {
    return new Planner(
        new PlanLimits(ActionBudgets.perPlan(2), Duration.ofSeconds(30), time("5m"), limit));
  }

  private ClusterView cluster(PodView... others) {
    var pods = new ArrayList<PodView>(Arrays.asList(others));
    pods.add(IDLE.workload().firstPod());
    return new ClusterView(pods, Map.of(), NODES, Map.of(), Optional.empty(), facts);
  }

  private static PodDraft waiting(String name) {
    return pod(name).gpus(4).waiting(ago("20m"));
  }

  private static PodView nominated(String name, String node) {
    return waiting(name).nominated(node).draw();
  }

  private static Due due(String name, int gpus, String node) {
    return PendingSentences.due(pod(name).gpus(gpus).on(node));
  }
}
