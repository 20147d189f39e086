package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.record.CycleInputs;
import io.gpureclaimer.reclaimer.audit.record.Decision;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Idle replicas of a Deployment of which others work, from the warning to the restoration. */
class IdleReplicasTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final String LOWEST = "-2147483648";
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final Duration POD_GRACE = Duration.ofSeconds(30);

  private final SmallCluster world = SmallCluster.in("always");
  private final PodRef idleOne = replica("web-a");
  private final PodRef busy = replica("web-b");
  private final PodRef idleTwo = replica("web-c");
  private final PodRef busyToo = replica("web-d");

  private PodRef replica(String name) {
    return world.pod(
        name,
        1,
        pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")).withLabels(Map.of("app", "web")));
  }

  @BeforeEach
  void someWork() {
    annotateOwner(Annotations.PARTIAL, "true");
    world.agents.work(busy);
    world.agents.work(busyToo);
  }

  @Test
  void removesTheIdleReplicasAlone_afterAWarning() {
    reclaim();

    assertThat(replicas()).contains("2");
    assertThat(pods()).containsExactly(busy, busyToo);
    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
    assertThat(progress().pods()).containsExactly(idleOne, idleTwo);
    assertThat(progress().devices()).isEqualTo(2);
  }

  @Test
  void doesNotJudgeReplicas_withoutTheAnnotation() {
    annotateOwner(Annotations.PARTIAL, "false");

    reclaim();

    assertThat(pods()).hasSize(4);
    assertThat(verdict()).isInstanceOf(Verdict.Active.class);
  }

  @Test
  void readsTheAnnotationOfTheNamespace() {
    world.cluster.annotateOwner(
        SmallCluster.NAMESPACE, WEB, Map.of(Annotations.PARTIAL, Optional.empty()));
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE, Map.of(Annotations.PARTIAL, Optional.of("true")));

    reclaim();

    assertThat(pods()).containsExactly(busy, busyToo);
  }

  @Test
  void warnsTheIdleReplicasAndTheirOwner() {
    becomeDue();

    assertThat(Stream.of(idleOne, idleTwo).map(world::notes))
        .allSatisfy(notes -> assertThat(notes).containsKey("warned-at"));
    assertThat(Stream.of(busy, busyToo).map(world::notes))
        .allSatisfy(notes -> assertThat(notes).isEmpty());
    assertThat(eventsOf("Deployment")).containsExactly("GPUIdleWarned");
    assertThat(world.lastMessage())
        .startsWith("2 of 4 replicas idle for 45m")
        .contains("Deployment web will be scaled down by its idle replicas");
    assertThat(VerdictSentence.of(verdict())).startsWith("2 of 4 replicas: idle for 1h");
  }

  @Test
  void recordsEveryChangeBeforeItIsMade() {
    becomeDue();
    world.wire.takeCalls();

    world.cycle();

    List<ApiInterceptor.InterceptedCall> calls = world.wire.takeCalls();
    assertThat(calls.indexOf(ApiInterceptor.InterceptedCall.RECORD)).isNotNegative();
    assertThat(calls.indexOf(ApiInterceptor.InterceptedCall.RECORD))
        .isLessThan(calls.indexOf(ApiInterceptor.InterceptedCall.CHANGE));
    assertThat(progress().changes())
        .extracting(change -> change.object().name(), change -> change.former().orElse("-"))
        .containsExactly(tuple("web-a", "-"), tuple("web-c", "-"), tuple("web", "4"));
  }

  @Test
  void restoresTheFormerNumber_whenPeopleAskForIt() {
    reclaim();

    requestRestore();

    assertThat(replicas()).contains("4");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
    world.pass(POD_GRACE);
    assertThat(pods()).hasSize(4).contains(busy, busyToo);
    assertThat(world.lastMessage()).contains("spec.replicas is 4 again");
  }

  @Test
  void doesNotRestore_whatPeopleHaveScaledSince() {
    reclaim();
    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, Optional.of("3"));

    requestRestore();

    assertThat(replicas()).contains("3");
    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
  }

  @Test
  void stopsTheWholeDeployment_whenAllReplicasAreIdle() {
    world.agents.rest(busy);
    world.agents.rest(busyToo);

    reclaim();

    assertThat(replicas()).contains("0");
    assertThat(progress().pods()).hasSize(4);
  }

  @Test
  void warnsAgain_whenTheOtherReplicasAreIdleForLongAsWell() {
    becomeDue();
    world.mode("on-demand");
    world.agents.rest(busy);
    world.agents.rest(busyToo);
    world.pass(SmallCluster.UNTIL_WARNED);

    world.cycle();
    world.cycle();

    assertThat(world.notes(busy)).containsKey("warned-at");
    assertThat(VerdictSentence.of(verdict())).doesNotContain("replicas");
  }

  @Test
  void takesTheWarningBack_whenAWarnedReplicaWorks() {
    becomeDue();
    world.agents.work(idleTwo);

    world.cycle();

    assertThat(pods()).hasSize(4);
    assertThat(Stream.of(idleOne, idleTwo).map(world::notes))
        .allSatisfy(notes -> assertThat(notes).isEmpty());
  }

  @Test
  void keepsToTheWarnedReplicas_whenAnotherBecomesIdleLater() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.agents.rest(busy);
    world.cycle();
    world.pass(SmallCluster.GRACE);

    world.cycle();
    world.pass(POD_GRACE);

    assertThat(pods()).containsExactly(busy, busyToo);
  }

  @Test
  void sparesAReplica_ofWhichNothingIsKnown() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.agents.restart(idleTwo);
    world.cycle();
    world.pass(SmallCluster.GRACE);

    world.cycle();
    world.pass(POD_GRACE);

    assertThat(pods()).containsExactly(busy, idleTwo, busyToo);
  }

  @Test
  void acts_neverOnAReplicaThatBeginsToWorkInTheLastMoment() {
    becomeDue();
    world.agents.beforeSecondLook(() -> world.agents.work(idleOne));

    world.cycle();

    assertThat(replicas()).contains("4");
  }

  @Test
  void refuses_whileARolloutIsInProgress() {
    world.cluster.writeOwnerField(
        SmallCluster.NAMESPACE, WEB, "/status/updatedReplicas", Optional.of("3"));

    assertRefused("rolling-out");
  }

  @Test
  void refuses_whileTheControllerHasNotSeenAnEdit() {
    world.cluster.writeOwnerField(
        SmallCluster.NAMESPACE, WEB, "/metadata/generation", Optional.of("2"));

    assertRefused("rolling-out");
  }

  @Test
  void refuses_whileTheControllerSaysNothing() {
    world.cluster.writeOwnerField(
        SmallCluster.NAMESPACE, WEB, "/status/observedGeneration", Optional.empty());
    world.cluster.writeOwnerField(
        SmallCluster.NAMESPACE, WEB, "/metadata/generation", Optional.empty());

    assertRefused("rolling-out");
  }

  @Test
  void refuses_whenAnAutoscalerScalesTheDeployment() {
    world.cluster.addScaledObject(SmallCluster.NAMESPACE, WEB);

    assertRefused("autoscaled");
  }

  @Test
  void refuses_whenAReplicaThatWorksHasTheLowestDeletionCost() {
    world.annotate(busy, COST, LOWEST);

    assertRefused("deletion-cost-taken");
  }

  @Test
  void refuses_whenABudgetDoesNotAllowTheIdleReplicasToGo() {
    world.cluster.addBudget(
        new DisruptionBudget(SmallCluster.NAMESPACE, "web", Map.of("app", "web"), 3));

    assertRefused("disruption-budget");
  }

  @Test
  void acts_whenABudgetAllowsTheIdleReplicasToGo() {
    world.cluster.addBudget(
        new DisruptionBudget(SmallCluster.NAMESPACE, "web", Map.of("app", "web"), 2));

    reclaim();

    assertThat(pods()).containsExactly(busy, busyToo);
  }

  @Test
  void restoresAnotherDeletionCost_whenTheActionIsRolledBack() {
    world.annotate(idleOne, COST, "7");
    becomeDue();
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 403, "no");

    world.cycle();
    assertThat(costOf(idleOne)).contains(LOWEST);
    world.cluster.allow(ApiVerb.PATCH_OWNER);
    world.mode("report");
    world.pass(Duration.ofMinutes(1));
    world.cycle();

    assertThat(costOf(idleOne)).contains("7");
    assertThat(costOf(idleTwo)).isEmpty();
    assertThat(replicas()).contains("4");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
  }

  @Test
  void rollsBackAtOnce_whenAPodCannotBeMarked() {
    becomeDue();
    world.cluster.refuse(ApiVerb.PATCH_POD, 403, "no");

    world.cycle();

    assertThat(replicas()).contains("4");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
  }

  /** Two pods are marked, and then the replicas are written. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void rollsBack_whenTheProcessEndsBetweenTheWrites(int writes) {
    becomeDue();
    breakAfter(writes);

    try {
      world.cycle();
    } catch (ClusterUnreachable _) {
      // The process is gone.
    }
    assertThat(progress().state()).isEqualTo(ReclamationState.INTENDED);
    world.pass(Duration.ofMinutes(1));
    world.mode("report");
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
    assertThat(replicas()).contains("4");
    assertThat(Stream.of(idleOne, idleTwo).map(this::costOf))
        .allSatisfy(cost -> assertThat(cost).isEmpty());
  }

  @Test
  void goesOn_whenTheProcessEndsAfterTheLastWrite() {
    becomeDue();
    world.wire.afterAnything(() -> breakOnceWritten());

    try {
      world.cycle();
    } catch (ClusterUnreachable _) {
      // The process is gone.
    }
    world.pass(POD_GRACE);
    world.cycle();
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
    assertThat(pods()).containsExactly(busy, busyToo);
  }

  @Test
  void reportsItAndWritesTheNumberBack_whenOtherPodsWereRemoved() {
    world.cluster.ignoreDeletionCosts();
    becomeDue();

    world.cycle();
    world.pass(Duration.ofSeconds(10));
    world.cycle();

    assertThat(replicas()).contains("4");
    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(costOf(idleOne)).isEmpty();
    assertThat(world.lastMessage()).startsWith("Other pods than the idle replicas were removed");
    assertThat(eventsOf("Deployment")).endsWith("GPUReclamationContested");
    world.pass(Duration.ofMinutes(50));
    world.cycle();
    assertThat(replicas()).contains("4");
  }

  @Test
  void writesTheNumberBack_whenTheControllerRemovesNothing() {
    world.cluster.ignoreStops(true);
    becomeDue();
    world.cycle();
    assertThat(replicas()).contains("2");
    world.pass(Duration.ofMinutes(11));

    world.cycle();

    assertThat(replicas()).contains("4");
    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
  }

  @Test
  void announcesNothingFurther_whileIdleReplicasAreReclaimed() {
    reclaim();
    world.agents.rest(busy);
    world.agents.rest(busyToo);
    world.pass(SmallCluster.IDLE_AFTER);

    world.cycle();

    assertThat(refusal()).isEqualTo("scaled-down-already");
    assertThat(replicas()).contains("2");
  }

  @Test
  void isDecidedAgain_fromTheRecordAlone() {
    becomeDue();
    assertThat(replayed(world.cycle())).isInstanceOf(Decision.Replay.Same.class);
    world.pass(POD_GRACE);
    world.cycle();
    world.agents.rest(busy);
    world.agents.rest(busyToo);
    world.pass(SmallCluster.IDLE_AFTER);

    assertThat(replayed(world.cycle())).isInstanceOf(Decision.Replay.Same.class);
    assertThat(refusal()).isEqualTo("scaled-down-already");
  }

  private static Decision.Replay replayed(CycleReport report) {
    Verdict verdict = report.judgments().getLast().verdict();
    var terms = new JudgmentTerms(SmallCluster.DEFAULTS, JudgeScenario.LIMITS);
    VerdictInputs inputs =
        new CycleInputs(report.at(), terms, report.observation(), report.cluster())
            .about(verdict.workload());
    Decision recorded = Decision.on(verdict, Optional.empty(), Optional.empty(), inputs);
    return Decision.read(recorded.toJson()).replay();
  }

  @Test
  void judgesAStatefulSetAsAWhole() {
    var db = new OwnerSpec(OwnerType.STATEFUL_SET, "db");
    world.cluster.deleteOwner(SmallCluster.NAMESPACE, WEB);
    world.pass(POD_GRACE);
    PodRef first = world.pod("db-0", 1, pod -> pod.ownedBy(db));
    world.pod("db-1", 1, pod -> pod.ownedBy(db));
    world.cluster.annotateOwner(
        SmallCluster.NAMESPACE, db, Map.of(Annotations.PARTIAL, Optional.of("true")));
    world.agents.work(first);

    world.pass(SmallCluster.IDLE_AFTER);

    assertThat(verdict()).isInstanceOf(Verdict.Active.class);
  }

  private void assertRefused(String code) {
    world.pass(SmallCluster.IDLE_AFTER);

    world.cycle();

    assertThat(refusal()).isEqualTo(code);
    assertThat(pods()).hasSize(4);
    assertThat(eventsOf("Deployment")).containsExactly("GPUIdleReported");
  }

  private String refusal() {
    return verdict() instanceof Verdict.Reported(_, _, _, _, ReportOnly.ActionRefused(Refused why))
        ? why.code()
        : VerdictSentence.of(verdict());
  }

  private Verdict verdict() {
    return world.cycle().judgments().stream()
        .map(Judgment::verdict)
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  private void breakAfter(int writes) {
    if (writes == 0) {
      world.wire.before(
          ApiInterceptor.InterceptedCall.CHANGE,
          () -> {
            throw new ClusterUnreachable("any call", "the process is gone");
          });
    } else {
      world.wire.before(ApiInterceptor.InterceptedCall.CHANGE, () -> breakAfter(writes - 1));
    }
  }

  private void breakOnceWritten() {
    if (replicas().equals(Optional.of("2"))) {
      throw new ClusterUnreachable("any call", "the process is gone");
    }
    world.wire.afterAnything(this::breakOnceWritten);
  }

  private void requestRestore() {
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();
  }

  private void becomeDue() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
  }

  private void reclaim() {
    becomeDue();
    world.cycle();
    world.pass(POD_GRACE);
    world.cycle();
  }

  private void annotateOwner(String key, String value) {
    world.cluster.annotateOwner(SmallCluster.NAMESPACE, WEB, Map.of(key, Optional.of(value)));
  }

  private Optional<String> costOf(PodRef pod) {
    return Optional.ofNullable(world.view(pod).annotations().get(COST));
  }

  private List<String> eventsOf(String kind) {
    return world.cluster.events().stream()
        .filter(event -> event.object().kind().equals(kind))
        .map(event -> event.notice().reason())
        .toList();
  }

  private List<PodRef> pods() {
    return world.cluster.view().pods().stream()
        .filter(pod -> !pod.terminating())
        .map(PodView::ref)
        .toList();
  }

  private Optional<String> replicas() {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, WEB, REPLICAS);
  }

  private Reclamation record() {
    return world.cluster.view().reclamations().orElseThrow().getFirst();
  }

  private ReclamationProgress progress() {
    return record().status().orElseThrow();
  }
}
