package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Possible;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.action.scale.ScalableKinds;
import io.gpureclaimer.reclaimer.action.stop.StoppableKinds;
import io.gpureclaimer.reclaimer.action.suspend.SuspendableKinds;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Autoscalers and disruption budgets, before an owner is acted on. */
class ConflictsTest {
  private static final Owner WEB = new Owner("apps/v1", "Deployment", "web", "u");
  private static final Owner TRAIN = new Owner("batch/v1", "Job", "train", "u");
  private static final Owner REVISION =
      new Owner("serving.knative.dev/v1", "Revision", "serve-00001", "u");
  private static final String MIN_SCALE = "autoscaling.knative.dev/min-scale";
  private static final ObjectRef HPA =
      new ObjectRef("autoscaling/v2", "HorizontalPodAutoscaler", "ml", "web", "h");
  private static final ObjectRef SCALED_OBJECT =
      new ObjectRef("keda.sh/v1alpha1", "ScaledObject", "ml", "web", "s");
  private static final Optional<List<BudgetView>> NO_BUDGETS = Optional.of(List.of());

  private static final BudgetView ALL_STAY = new BudgetView("web", 0, 0, 1);
  private static final Optional<List<Autoscaler>> NO_AUTOSCALERS = Optional.of(List.of());

  private static final FieldChange TO_ZERO =
      new FieldChange(
          new ObjectRef("apps/v1", "Deployment", "ml", "web", "u"),
          FieldChange.SCALE,
          "/spec/replicas",
          Optional.of("2"),
          Optional.of("0"));
  private static final FieldChange PAUSE =
      new FieldChange(
          SCALED_OBJECT,
          "/metadata/annotations/autoscaling.keda.sh~1paused-replicas",
          Optional.empty(),
          Optional.of("\"0\""));

  @Test
  void scales_whatAHorizontalPodAutoscalerScales_andDoesNotTouchTheAutoscaler() {
    Workload web = scaledBy(new Autoscaler(HPA, Map.of()));

    assertThat(ScalableKinds.ACTION.check(web)).isEqualTo(new Possible(ScalableKinds.ACTION));
    assertThat(ScalableKinds.ACTION.changes(web, JudgeScenario.NOW)).containsExactly(TO_ZERO);
  }

  @Test
  void pausesAScaledObject_beforeItsTargetIsScaled() {
    Workload web = scaledBy(scaledObject());

    assertThat(ScalableKinds.ACTION.check(web)).isEqualTo(new Possible(ScalableKinds.ACTION));
    assertThat(ScalableKinds.ACTION.changes(web, JudgeScenario.NOW))
        .containsExactly(PAUSE, TO_ZERO);
  }

  @Test
  void leavesAPauseOfPeopleAsItIs() {
    Workload paused = scaledBy(scaledObject("autoscaling.keda.sh/paused", "true"));
    Workload pausedAtZero = scaledBy(scaledObject("autoscaling.keda.sh/paused-replicas", "0"));

    assertThat(ScalableKinds.ACTION.changes(paused, JudgeScenario.NOW)).containsExactly(TO_ZERO);
    assertThat(ScalableKinds.ACTION.changes(pausedAtZero, JudgeScenario.NOW))
        .containsExactly(TO_ZERO);
  }

  @Test
  void pausesAScaledObject_whosePauseIsSwitchedOff() {
    Workload web = scaledBy(scaledObject("autoscaling.keda.sh/paused", "false"));

    assertThat(ScalableKinds.ACTION.changes(web, JudgeScenario.NOW))
        .containsExactly(PAUSE, TO_ZERO);
  }

  @Test
  void refuses_whatPeoplePausedWithReplicas() {
    assertThat(
            ScalableKinds.ACTION.check(
                scaledBy(scaledObject("autoscaling.keda.sh/paused-replicas", "3"))))
        .isEqualTo(
            new Refused(
                "paused-with-replicas",
                "ScaledObject ml/web is paused at 3 replicas",
                "ScaledObject ml/web is paused by the annotation"
                    + " autoscaling.keda.sh/paused-replicas: 3, and KEDA keeps that number of"
                    + " replicas"));
  }

  @Test
  void refusesToScale_whileAutoscalersCannotBeRead() {
    assertThat(
            ScalableKinds.ACTION.check(
                workload(WEB, "/spec/replicas", "2", Optional.empty(), NO_BUDGETS)))
        .isEqualTo(
            new Refused(
                "autoscalers-unread",
                "its autoscalers cannot be read",
                "the autoscalers of Deployment/web cannot be read, and one of them could scale it"
                    + " up again"));
  }

  @Test
  void suspends_withoutAskingAutoscalers() {
    assertThat(
            SuspendableKinds.ACTION.check(
                workload(TRAIN, "/spec/suspend", "false", Optional.empty(), NO_BUDGETS)))
        .isEqualTo(new Possible(SuspendableKinds.ACTION));
  }

  @Test
  void refuses_whileDisruptionBudgetsCannotBeRead() {
    assertThat(
            SuspendableKinds.ACTION.check(
                workload(TRAIN, "/spec/suspend", "false", NO_AUTOSCALERS, Optional.empty())))
        .isEqualTo(
            new Refused(
                "budgets-unread",
                "the disruption budgets of its pods cannot be read",
                "the disruption budgets of Job ml/train cannot be read, and one of them could"
                    + " forbid the action"));
  }

  @Test
  void refuses_whenABudgetDoesNotAllowAllReadyPodsToGo() {
    assertThat(check(new BudgetView("web", 1, 2, 1)))
        .isEqualTo(
            new Refused(
                "disruption-budget",
                "PodDisruptionBudget web does not allow it",
                "PodDisruptionBudget web allows 1 of its 2 healthy pods to be disrupted (1 desired),"
                    + " and the action would disrupt 2"));
  }

  @Test
  void acts_whenEveryBudgetAllowsAllReadyPodsToGo() {
    assertThat(check(new BudgetView("web", 2, 2, 0), new BudgetView("all", 5, 9, 4)))
        .isEqualTo(new Possible(ScalableKinds.ACTION));
  }

  @Test
  void asksEveryBudget() {
    assertThat(check(new BudgetView("web", 2, 2, 0), new BudgetView("zone", 0, 2, 2)))
        .extracting(refused -> ((Refused) refused).obstacle())
        .isEqualTo("PodDisruptionBudget zone does not allow it");
  }

  @Test
  void acts_whenThePodsThatABudgetSelectsAreNotReady() {
    PodView crashing =
        pod("web-a").owner(WEB).notReady().draw().selectedBy(Optional.of(List.of(ALL_STAY)));

    assertThat(
            ScalableKinds.ACTION.check(
                workload(WEB, "/spec/replicas", "1", NO_AUTOSCALERS, crashing)))
        .isEqualTo(new Possible(ScalableKinds.ACTION));
  }

  @Test
  void refusesARevision_whenItsPodsAreThoseOfKnativeBefore1_21() {
    assertThat(StoppableKinds.ACTION.check(revision(Map.of(MIN_SCALE, "1"))))
        .isEqualTo(
            new Refused(
                "minimum-ignored",
                "Knative before 1.21 does not apply another minimum of pods",
                "Revision/serve-00001 has pods with the annotation"
                    + " autoscaling.knative.dev/min-scale, as Knative before 1.21 makes them: that"
                    + " version would replace the pods and keep their number"));
  }

  @Test
  void stopsARevision_whenItsPodsDoNotHaveItsMinimum() {
    assertThat(StoppableKinds.ACTION.check(revision(Map.of())))
        .isEqualTo(new Possible(StoppableKinds.ACTION));
  }

  private static Workload revision(Map<String, String> annotationsOfPod) {
    PodView serving =
        pod("serve")
            .owner(REVISION)
            .with(annotationsOfPod)
            .draw()
            .selectedBy(Optional.of(List.of()));
    return workload(REVISION, FieldChange.annotation(MIN_SCALE), "\"1\"", NO_AUTOSCALERS, serving);
  }

  private static ActionCheck check(BudgetView... budgets) {
    return ScalableKinds.ACTION.check(
        workload(WEB, "/spec/replicas", "2", NO_AUTOSCALERS, Optional.of(List.of(budgets))));
  }

  private static Workload scaledBy(Autoscaler autoscaler) {
    return workload(WEB, "/spec/replicas", "2", Optional.of(List.of(autoscaler)), NO_BUDGETS);
  }

  private static Autoscaler scaledObject() {
    return new Autoscaler(SCALED_OBJECT, Map.of());
  }

  private static Autoscaler scaledObject(String annotation, String value) {
    return new Autoscaler(SCALED_OBJECT, Map.of(annotation, value));
  }

  private static Workload workload(
      Owner owner,
      String path,
      String value,
      Optional<List<Autoscaler>> autoscalers,
      Optional<List<BudgetView>> budgets) {
    return workload(
        owner,
        path,
        value,
        autoscalers,
        pod("a").owner(owner).draw().selectedBy(budgets),
        pod("b").owner(owner).draw().selectedBy(budgets));
  }

  private static Workload workload(
      Owner owner,
      String path,
      String value,
      Optional<List<Autoscaler>> autoscalers,
      PodView... pods) {
    var details =
        new OwnerDetails(
            "7", Optional.empty(), Map.of(), Map.of(path, value), Map.of(), autoscalers);
    var view = new OwnerView(owner, "ml", Optional.empty(), Map.of(), Optional.of(details));
    return Workloads.of(List.of(pods), Map.of(owner.uid(), view));
  }
}
