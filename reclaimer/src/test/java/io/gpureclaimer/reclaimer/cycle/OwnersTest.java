package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.record.CycleInputs;
import io.gpureclaimer.reclaimer.audit.record.Decision;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepListener;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Actions on owners, from the warning to the restoration. */
class OwnersTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final Duration POD_GRACE = Duration.ofSeconds(30);

  private final SmallCluster world = SmallCluster.in("always");
  private final List<PodRef> pods =
      List.of(world.pod("web-a", 1, this::ofDeployment), world.pod("web-b", 2, this::ofDeployment));

  private PodSpec ofDeployment(PodSpec pod) {
    return pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f"));
  }

  @Test
  void scalesAnIdleDeploymentToZero_afterAWarning() {
    becomeDue();
    assertThat(replicas()).contains("2");

    world.cycle();

    assertThat(replicas()).contains("0");
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
    assertThat(progress().changes().getFirst().former()).contains("2");
    assertThat(world.cluster.events().getLast().object().kind()).isEqualTo("Deployment");
    assertThat(world.lastMessage())
        .contains("Scaled to zero")
        .contains("kubectl patch reclamation deployment-web-");
  }

  @Test
  void readsTheWholeClusterOnce_forAnAction() {
    becomeDue();
    CycleReport planned = world.replica.cycle().plan();
    int before = world.wire.looks();

    world
        .replica
        .cycle()
        .act(
            planned,
            new StepListener() {
              @Override
              public void onResult(StepResult result) {}
            });

    assertThat(replicas()).contains("0");
    assertThat(world.wire.looks() - before).isEqualTo(1);
  }

  @Test
  void warnsEveryPod_andTheOwner() {
    world.pass(SmallCluster.UNTIL_WARNED);

    world.cycle();

    assertThat(world.notes(pods.get(0))).containsKeys("act-not-before", "action-id");
    assertThat(world.notes(pods.get(1))).isEqualTo(world.notes(pods.get(0)));
    assertThat(eventsOf("Deployment")).containsExactly("GPUIdleWarned");
  }

  @Test
  void warnsTheTopOwner_whenTheActionChangesAnotherOne() {
    world.cluster.deleteOwner(SmallCluster.NAMESPACE, WEB);
    OwnerSpec job =
        new OwnerSpec(OwnerType.JOB, "night-1").below(new OwnerSpec(OwnerType.CRON_JOB, "night"));
    world.pod("night-1-a", 1, pod -> pod.ownedBy(job));
    world.pass(SmallCluster.UNTIL_WARNED);

    world.cycle();

    assertThat(eventsOf("CronJob")).containsExactly("GPUIdleWarned");
    assertThat(eventsOf("Job")).containsExactly("GPUIdleWarned");
  }

  @Test
  void warnsAgain_andCountsTheGraceFromThen_whenOnePodCouldNotBeWarned() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.wire.after(
        ApiInterceptor.InterceptedCall.ANNOTATE,
        () -> world.cluster.refuse(ApiVerb.PATCH_POD, 500, "overloaded"));
    world.cycle();
    assertThat(world.notes(pods.get(0))).containsKey("act-not-before");
    assertThat(world.notes(pods.get(1))).isEmpty();

    world.cluster.allow(ApiVerb.PATCH_POD);
    world.pass(SmallCluster.GRACE);
    world.cycle();
    assertThat(replicas()).contains("2");
    assertThat(world.notes(pods.get(0))).containsEntry("act-not-before", "2026-03-02T09:15:00Z");
    assertThat(world.notes(pods.get(1))).isEqualTo(world.notes(pods.get(0)));

    world.pass(SmallCluster.GRACE);
    world.cycle();
    assertThat(replicas()).contains("0");
  }

  @Test
  void warnsAgain_whenAPodHasJoinedThatWasNotWarned() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.cluster.submit(ofDeployment(PodSpec.bare(SmallCluster.NAMESPACE, "web-large", 9)));

    world.pass(SmallCluster.GRACE);
    world.cycle();

    assertThat(replicas()).isNotEqualTo(Optional.of("0"));
    assertThat(eventsOf("Deployment")).containsExactly("GPUIdleWarned", "GPUIdleWarned");
  }

  @Test
  void scalesToZero_whileAPodOfItWaitsForANode() {
    world.cluster.submit(ofDeployment(PodSpec.bare(SmallCluster.NAMESPACE, "web-large", 9)));
    becomeDue();

    world.cycle();

    assertThat(replicas()).contains("0");
  }

  @Test
  void takesTheWarningBackFromEveryPod_andNotifiesTheOwner() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.agents.work(pods.get(1));

    world.cycle();

    assertThat(world.notes(pods.get(0))).isEmpty();
    assertThat(world.notes(pods.get(1))).isEmpty();
    assertThat(eventsOf("Deployment")).containsExactly("GPUIdleWarned", "GPUIdleWarningWithdrawn");
  }

  @Test
  void triesAgain_whenAWarningCouldNotBeWithdrawnFromOnePod() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.agents.work(pods.get(1));
    world.wire.after(
        ApiInterceptor.InterceptedCall.ANNOTATE,
        () -> world.cluster.refuse(ApiVerb.PATCH_POD, 500, "overloaded"));
    world.cycle();
    assertThat(eventsOf("Deployment")).containsExactly("GPUIdleWarned");

    world.cluster.allow(ApiVerb.PATCH_POD);
    world.cycle();

    assertThat(world.notes(pods.get(0))).isEmpty();
    assertThat(world.notes(pods.get(1))).isEmpty();
    assertThat(eventsOf("Deployment")).containsExactly("GPUIdleWarned", "GPUIdleWarningWithdrawn");
  }

  @Test
  void takesHalfAWarningBack_whenAnotherIdlePeriodHasBegun() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.wire.after(
        ApiInterceptor.InterceptedCall.ANNOTATE,
        () -> world.cluster.refuse(ApiVerb.PATCH_POD, 500, "overloaded"));
    world.cycle();
    world.cluster.allow(ApiVerb.PATCH_POD);
    pods.forEach(world.agents::work);
    pods.forEach(world.agents::rest);
    world.pass(Duration.ofMinutes(5));

    world.cycle();

    assertThat(world.notes(pods.get(0))).isEmpty();
    assertThat(world.lastMessage()).isEqualTo("Warning withdrawn: not every pod carries it.");
  }

  @Test
  void recordsTheActionBeforeItIsMade() {
    becomeDue();
    world.wire.takeCalls();

    world.cycle();

    List<ApiInterceptor.InterceptedCall> calls = world.wire.takeCalls();
    assertThat(calls.indexOf(ApiInterceptor.InterceptedCall.RECORD)).isNotNegative();
    assertThat(calls.indexOf(ApiInterceptor.InterceptedCall.RECORD))
        .isLessThan(calls.indexOf(ApiInterceptor.InterceptedCall.CHANGE));
  }

  @Test
  void confirmsTheAction_whenThePodsAreGone() {
    reclaim();

    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
    assertThat(world.cluster.holders()).isEmpty();
    assertThat(progress().devices()).isEqualTo(3);
    assertThat(eventsOf("Deployment")).contains("GPUIdleWarned", "GPUReclaimed", "GPUFreed");
    assertThat(eventsOf("Reclamation")).containsExactly("GPUFreed");
  }

  @Test
  void restoresTheFormerValue_whenPeopleAskForIt() {
    reclaim();

    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
    assertThat(progress().gpuSecondsSaved()).isPresent();
    assertThat(world.cluster.events().getLast().notice())
        .isEqualTo(
            new Notice(
                "GPURestored",
                "Restored: requested in the record. spec.replicas is 2 again. Its GPUs were free"
                    + " for 0s.",
                false));
    world.cluster.tick();
    world.cluster.tick();
    assertThat(world.cluster.holders()).hasSize(3);
  }

  @Test
  void restores_whenTheOwnerIsExcluded() {
    reclaim();

    world.cluster.annotateOwner(
        SmallCluster.NAMESPACE, WEB, Map.of(Annotations.EXCLUDE, Optional.of("true")));
    world.cycle();

    assertThat(replicas()).contains("2");
  }

  @Test
  void restores_whenTheNamespaceIsExcluded() {
    reclaim();

    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE, Map.of(Annotations.EXCLUDE, Optional.of("true")));
    world.cycle();

    assertThat(replicas()).contains("2");
  }

  @Test
  void restores_whenTheOwnerIsToBeKept() {
    reclaim();

    annotateOwner(Annotations.KEEP_UNTIL, world.clock.instant().plusSeconds(600).toString());
    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(progress().message()).contains("kept until");
  }

  @ParameterizedTest
  @CsvSource({
    "keep-until, 2020-01-01",
    "keep-until, tomorrow",
    "exclude, yes",
    "exclude, false",
    "restore, manual",
    "restore, always",
    "restore, on-schedule"
  })
  void staysReclaimed_whenTheAnnotationAsksForNoRestoration(String key, String value) {
    reclaim();

    annotateOwner(Annotations.PREFIX + key, value);
    world.pass(Duration.ofMinutes(10));
    world.cycle();
    world.pass(Duration.ofMinutes(10));
    world.cycle();

    assertThat(replicas()).contains("0");
  }

  @Test
  void restores_whenProtectedHoursBegin() {
    annotateOwner(Annotations.RESTORE, "on-schedule");
    reclaim();
    world.cycle();
    assertThat(replicas()).contains("0");

    annotateOwner(Annotations.PROTECTED_HOURS, "Mon-Sun 00:00-24:00 UTC");
    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(progress().message()).contains("protected hours Mon-Sun 00:00-24:00 UTC began");
  }

  @Test
  void restores_whenNoPodHasNeededGpusForAWhile() {
    annotateOwner(Annotations.RESTORE, "on-demand-clear");
    reclaim();
    assertThat(replicas()).contains("0");

    passWithCycles(Duration.ofMinutes(6));

    assertThat(replicas()).contains("2");
    assertThat(progress().message()).contains("no pending pod needs GPUs");
  }

  @Test
  void takesTheChoiceOfTheNamespace_whenTheOwnerHasNone() {
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE, Map.of(Annotations.RESTORE, Optional.of("on-demand-clear")));
    reclaim();

    passWithCycles(Duration.ofMinutes(6));

    assertThat(replicas()).contains("2");
  }

  @Test
  void staysReclaimed_whileAPendingPodNeedsGpus() {
    annotateOwner(Annotations.RESTORE, "on-demand-clear");
    reclaim();
    world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "large", 9));
    passWithCycles(Duration.ofMinutes(12));
    assertThat(replicas()).contains("0");
  }

  @Test
  void staysReclaimed_whileTooFewGpusAreFree() {
    annotateOwner(Annotations.RESTORE, "on-demand-clear");
    reclaim();
    PodRef other = world.pod("other", 7);
    passWithCycles(Duration.ofMinutes(6));
    assertThat(replicas()).contains("0");

    world.cluster.delete(other);
    passWithCycles(Duration.ofMinutes(1));

    assertThat(replicas()).contains("2");
  }

  @Test
  void waitsAgain_whenDemandComesBackInTheMeantime() {
    annotateOwner(Annotations.RESTORE, "on-demand-clear");
    reclaim();
    passWithCycles(Duration.ofMinutes(3));
    PodRef large = world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "large", 9));
    passWithCycles(Duration.ofMinutes(1));
    world.cluster.delete(large);

    passWithCycles(Duration.ofMinutes(4));
    assertThat(replicas()).contains("0");
    passWithCycles(Duration.ofMinutes(2));

    assertThat(replicas()).contains("2");
  }

  @Test
  void leavesRecordsAlone_inADryRun() {
    reclaim();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());

    InMemoryReplica.rehearsing(world).run();

    assertThat(replicas()).contains("0");
    assertThat(progress().state()).isEqualTo(ReclamationState.RECLAIMED);
  }

  @Test
  void leavesARestoredOwnerAlone_forAnHour() {
    reclaim();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();
    world.pass(SmallCluster.UNTIL_WARNED.plus(SmallCluster.GRACE));

    assertThat(world.cluster.view().reclamations().orElseThrow()).hasSize(1);
  }

  @Test
  void needsTwiceTheIdleTime_inTheWeekAfterARestoration() {
    reclaim();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();
    world.pass(Duration.ofMinutes(1));
    world.cluster.view().pods().forEach(pod -> world.agents.work(pod.ref()));
    world.cluster.view().pods().forEach(pod -> world.agents.rest(pod.ref()));
    world.pass(Duration.ofMinutes(75));

    CycleReport report = world.cycle();

    Judgment judgment = report.judgments().getFirst();
    assertThat(judgment.verdict())
        .isInstanceOfSatisfying(
            Verdict.Watching.class,
            watching -> assertThat(watching.idleAfter()).isEqualTo(Duration.ofHours(2)));
    assertThat(VerdictSentence.of(judgment.policy().orElseThrow().idleAfter().origin()))
        .contains("Deployment research/web has 1h: doubled for a week, because it was restored at");
    VerdictInputs inputs =
        new CycleInputs(
                report.at(),
                new JudgmentTerms(SmallCluster.DEFAULTS, JudgeScenario.LIMITS),
                report.observation(),
                report.cluster())
            .about(judgment.verdict().workload());
    Decision recorded = Decision.on(judgment.verdict(), Optional.empty(), Optional.empty(), inputs);
    VerdictInputs read = Decision.read(recorded.toJson()).inputs();
    assertThat(read.cluster().owners()).isEqualTo(inputs.cluster().owners());
    assertThat(read.cluster().pods()).isEqualTo(inputs.cluster().pods());
    assertThat(Decision.read(recorded.toJson()).replay()).isInstanceOf(Decision.Replay.Same.class);
  }

  @Test
  void leavesTheOwnerAlone_whenOthersChangedItBack() {
    reclaim();

    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, Optional.of("5"));
    world.cycle();

    assertThat(replicas()).contains("5");
    assertThat(progress().state()).isEqualTo(ReclamationState.CONTESTED);
    assertThat(eventsOf("Deployment")).endsWith("GPUReclamationContested");
  }

  @Test
  void reportsARefusedRestorationOnce_andTriesAgain() {
    reclaim();
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 403, "forbidden");

    world.cycle();
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORING);
    assertThat(eventsOf("Deployment")).containsOnlyOnce("GPURestoreRefused");
    String sentence =
        "The owner could not be restored, the next cycle tries again: the API server answered 403:"
            + " forbidden. To restore it with your own rights, run: kubectl patch deployment.apps"
            + " web --namespace research --type merge --patch '{\"spec\":{\"replicas\":2}}'";
    assertThat(world.lastMessage()).isEqualTo(sentence);
    assertThat(progress().message()).isEqualTo(sentence);

    world.cluster.allow(ApiVerb.PATCH_OWNER);
    world.cycle();

    assertThat(replicas()).contains("2");
  }

  @Test
  void acceptsTheOthersValue_whenItIsChangedLater() {
    reclaim();
    world.pass(Duration.ofHours(2));

    world.cluster.writeOwnerField(SmallCluster.NAMESPACE, WEB, REPLICAS, Optional.of("5"));
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();

    assertThat(replicas()).contains("5");
    assertThat(progress().state()).isEqualTo(ReclamationState.SUPERSEDED);
  }

  @Test
  void isSuperseded_whenTheOwnerIsDeleted() {
    reclaim();

    world.cluster.deleteOwner(SmallCluster.NAMESPACE, WEB);
    world.cycle();

    assertThat(progress().state()).isEqualTo(ReclamationState.SUPERSEDED);
  }

  @Test
  void changesNothing_whenTheRecordCannotBeWritten() {
    becomeDue();
    world.cluster.refuse(ApiVerb.WRITE_RECORD, 403, "forbidden");

    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(world.cluster.view().reclamations().orElseThrow()).isEmpty();
  }

  @Test
  void recordSaysThatNothingWasChanged_whenTheWriteIsRefused() {
    becomeDue();
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 403, "forbidden");

    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
    assertThat(progress().message()).contains("forbidden");
  }

  @Test
  void usesTheRecordOfAnActionThatFailed_whenItIsTriedAgain() {
    becomeDue();
    world.cluster.refuse(ApiVerb.PATCH_OWNER, 500, "overloaded");
    world.cycle();
    world.cluster.allow(ApiVerb.PATCH_OWNER);
    world.pass(Duration.ofMinutes(2));

    world.cycle();

    assertThat(replicas()).contains("0");
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
  }

  /** The process ends just before or after each of its calls; the next leader finishes. */
  @ParameterizedTest
  @EnumSource(
      value = ApiInterceptor.InterceptedCall.class,
      names = {"RECORD", "CHANGE", "UPDATE"})
  void isContinued_whenTheProcessEndsAfterACall(ApiInterceptor.InterceptedCall last) {
    becomeDue();
    world.wire.after(last, () -> world.cluster.setUnreachable(true));
    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(
            () -> {
              world.cycle();
              world.cluster.view();
            });
    world.cluster.setUnreachable(false);

    world.pass(Duration.ofMinutes(1));
    world.cycle();

    assertThat(replicas()).contains("0");
    assertThat(progress().changes().getFirst().former()).contains("2");
    assertThat(progress().state()).isIn(ReclamationState.ACTING, ReclamationState.RECLAIMED);
    assertThat(world.cluster.view().reclamations().orElseThrow()).hasSize(1);
  }

  @Test
  void rollsBackAnActionThatWasOnlyRecorded_whenTheWorkloadIsInUseAgain() {
    becomeDue();
    world.wire.after(
        ApiInterceptor.InterceptedCall.RECORD, () -> world.cluster.setUnreachable(true));
    assertThatExceptionOfType(ClusterUnreachable.class).isThrownBy(world::cycle);
    world.cluster.setUnreachable(false);
    world.agents.work(pods.getFirst());
    world.cycle();
    assertThat(progress().state()).isEqualTo(ReclamationState.INTENDED);

    world.pass(Duration.ofMinutes(1));
    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
  }

  @Test
  void evictsNoPodOfAnOwner_whenOnePodWorks() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.agents.work(pods.getFirst());
    world.pass(SmallCluster.GRACE);

    world.cycle();

    assertThat(replicas()).contains("2");
    assertThat(world.cluster.view().reclamations().orElseThrow()).isEmpty();
  }

  @Test
  void restoresTheOtherJobs_whenOneOfACronJobIsGone() {
    var night = new OwnerSpec(OwnerType.CRON_JOB, "night");
    OwnerSpec first = new OwnerSpec(OwnerType.JOB, "night-1").below(night);
    OwnerSpec second = new OwnerSpec(OwnerType.JOB, "night-2").below(night);
    world.cluster.deleteOwner(SmallCluster.NAMESPACE, WEB);
    world.pod("night-1-a", 1, pod -> pod.ownedBy(first));
    world.pod("night-2-a", 1, pod -> pod.ownedBy(second));
    world.pass(POD_GRACE);
    reclaim();
    assertThat(world.cluster.ownerField(SmallCluster.NAMESPACE, first, "/spec/suspend"))
        .contains("true");

    world.cluster.deleteOwner(SmallCluster.NAMESPACE, second);
    world.cluster.requestRestore(SmallCluster.NAMESPACE, record().name());
    world.cycle();

    assertThat(world.cluster.ownerField(SmallCluster.NAMESPACE, first, "/spec/suspend")).isEmpty();
    assertThat(progress().state()).isEqualTo(ReclamationState.RESTORED);
  }

  @Test
  void restoresTheNextOwner_whenTheRequestOfOneTimesOut() {
    OwnerSpec api = new OwnerSpec(OwnerType.DEPLOYMENT, "api");
    world.pod("api-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("api", "77aa")));
    reclaim();
    world
        .cluster
        .view()
        .reclamations()
        .orElseThrow()
        .forEach(record -> world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name()));
    world.wire.before(
        ApiInterceptor.InterceptedCall.CHANGE,
        () -> {
          throw new ClusterUnreachable("patch Deployment", "no answer within 10000 ms");
        });

    world.cycle();

    boolean apiIsBack =
        world.cluster.ownerField(SmallCluster.NAMESPACE, api, REPLICAS).equals(Optional.of("1"));
    boolean webIsBack = replicas().equals(Optional.of("2"));
    assertThat(apiIsBack).isNotEqualTo(webIsBack);
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

  private void passWithCycles(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusMinutes(1)) {
      world.pass(Duration.ofMinutes(1));
      world.cycle();
    }
  }

  /** The reasons of all Events on objects of this kind, oldest first. */
  private List<String> eventsOf(String kind) {
    return world.cluster.events().stream()
        .filter(event -> event.object().kind().equals(kind))
        .map(event -> event.notice().reason())
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
