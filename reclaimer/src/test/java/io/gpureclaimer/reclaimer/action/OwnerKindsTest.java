package io.gpureclaimer.reclaimer.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.scale.ScalableKinds;
import io.gpureclaimer.reclaimer.action.stop.StoppableKinds;
import io.gpureclaimer.reclaimer.action.suspend.SuspendableKinds;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.VolcanoJob;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of owner that an action can stop: one line each. */
class OwnerKindsTest {
  private static final Instant NOW = Instant.parse("2026-03-02T12:00:00.5Z");
  private static final String REPLICAS = "/spec/replicas";
  private static final String SUSPEND = "/spec/suspend";
  private static final String RUN_POLICY = "/spec/runPolicy/suspend";
  private static final String STOP = "/metadata/annotations/serving.kserve.io~1stop";
  private static final String MIN_SCALE =
      "/metadata/annotations/autoscaling.knative.dev~1min-scale";

  /**
   * One kind.
   *
   * @param owner version and kind
   * @param written what the action writes
   * @param formers values before; empty where absent is one of them
   * @param required other fields without which the owner is refused
   */
  record OwnerKindLine(
      String action,
      String owner,
      String path,
      String written,
      List<Optional<String>> formers,
      Map<String, String> required) {

    OwnerKindLine(String action, String owner, String path, String written, String... formers) {
      this(
          action,
          owner,
          path,
          written,
          Stream.of(formers)
              .map(former -> former.isEmpty() ? Optional.<String>empty() : Optional.of(former))
              .toList(),
          Map.of());
    }

    OwnerKindLine requiring(Map<String, String> fields) {
      return new OwnerKindLine(action, owner, path, written, formers, fields);
    }

    Workload workload(Optional<String> former) {
      OwnerDraft draft = OwnerDraft.of(owner).with(required);
      former.ifPresent(value -> draft.with(path, value));
      return draft.draw();
    }

    @Override
    public String toString() {
      return owner;
    }
  }

  static List<OwnerKindLine> linesWithoutAbsence() {
    return lines().stream()
        .filter(line -> !line.formers().contains(Optional.<String>empty()))
        .toList();
  }

  static List<OwnerKindLine> lines() {
    return List.of(
        new OwnerKindLine("scale", "apps/v1 Deployment", REPLICAS, "0", "1", "3"),
        new OwnerKindLine("scale", "apps/v1 ReplicaSet", REPLICAS, "0", "1", "3"),
        new OwnerKindLine("scale", "apps/v1 StatefulSet", REPLICAS, "0", "1", "3"),
        new OwnerKindLine(
            "scale", "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet", REPLICAS, "0", "1", "2"),
        new OwnerKindLine("scale", "argoproj.io/v1alpha1 Rollout", REPLICAS, "0", "1", "3"),
        new OwnerKindLine("scale", "grove.io/v1alpha1 PodCliqueSet", REPLICAS, "0", "1", "2"),
        new OwnerKindLine(
            "scale",
            "nvidia.com/v1beta1 DynamoGraphDeploymentScalingAdapter",
            REPLICAS,
            "0",
            "1",
            "2"),
        new OwnerKindLine(
            "scale", "apps.nvidia.com/v1alpha1 NIMService", REPLICAS, "0", "", "1", "2"),
        new OwnerKindLine(
            "suspend", "kueue.x-k8s.io/v1beta2 Workload", "/spec/active", "false", "", "true"),
        new OwnerKindLine("suspend", "batch/v1 Job", SUSPEND, "true", "", "false"),
        new OwnerKindLine(
            "suspend", "jobset.x-k8s.io/v1alpha2 JobSet", SUSPEND, "true", "", "false"),
        new OwnerKindLine(
            "suspend", "trainer.kubeflow.org/v1alpha1 TrainJob", SUSPEND, "true", "", "false"),
        new OwnerKindLine("suspend", "ray.io/v1 RayCluster", SUSPEND, "true", "", "false"),
        new OwnerKindLine("suspend", "ray.io/v1 RayJob", SUSPEND, "true", "", "false")
            .requiring(
                Map.of(
                    "/spec/shutdownAfterJobFinishes",
                    "true",
                    "/status/jobDeploymentStatus",
                    "\"Running\"")),
        new OwnerKindLine("suspend", "ray.io/v1 RayService", SUSPEND, "true", "", "false"),
        new OwnerKindLine(
            "suspend",
            "sparkoperator.k8s.io/v1beta2 SparkApplication",
            SUSPEND,
            "true",
            "",
            "false"),
        new OwnerKindLine("suspend", "kubeflow.org/v1 PyTorchJob", RUN_POLICY, "true", "", "false"),
        new OwnerKindLine("suspend", "kubeflow.org/v1 TFJob", RUN_POLICY, "true", "", "false"),
        new OwnerKindLine("suspend", "kubeflow.org/v1 XGBoostJob", RUN_POLICY, "true", "", "false"),
        new OwnerKindLine("suspend", "kubeflow.org/v1 PaddleJob", RUN_POLICY, "true", "", "false"),
        new OwnerKindLine("suspend", "kubeflow.org/v1 JAXJob", RUN_POLICY, "true", "", "false"),
        new OwnerKindLine(
            "suspend", "kubeflow.org/v2beta1 MPIJob", RUN_POLICY, "true", "", "false"),
        new OwnerKindLine(
                "suspend",
                "batch.volcano.sh/v1alpha1 Job",
                VolcanoJob.PHASE,
                VolcanoJob.ABORTED,
                VolcanoJob.RUNNING)
            .requiring(Map.of("/spec/maxRetry", "3")),
        new OwnerKindLine(
            "stop",
            "kubeflow.org/v1 Notebook",
            "/metadata/annotations/kubeflow-resource-stopped",
            "\"2026-03-02T12:00:00Z\"",
            ""),
        new OwnerKindLine(
            "stop", "kubeflow.org/v1beta1 Workspace", "/spec/paused", "true", "", "false"),
        new OwnerKindLine(
            "stop",
            "serving.kserve.io/v1beta1 InferenceService",
            STOP,
            "\"true\"",
            "",
            "\"false\""),
        new OwnerKindLine(
            "stop",
            "serving.kserve.io/v1alpha2 LLMInferenceService",
            STOP,
            "\"true\"",
            "",
            "\"false\""),
        new OwnerKindLine(
            "stop", "serving.knative.dev/v1 Revision", MIN_SCALE, "\"0\"", "\"1\"", "\"3\""),
        new OwnerKindLine(
            "stop",
            "workspace.devfile.io/v1alpha2 DevWorkspace",
            "/spec/started",
            "false",
            "",
            "true"));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void writesOneField_andItsInverseIsTheFormerValue(OwnerKindLine line) {
    for (Optional<String> former : line.formers()) {
      Workload workload = line.workload(former);
      Action.ChangeOwner action = possible(workload);

      assertThat(action.name()).isEqualTo(line.action());
      FieldChange change = only(action.changes(workload, NOW));
      assertThat(change.object()).isEqualTo(action.target(workload).ref());
      assertThat(change.path()).isEqualTo(line.path());
      assertThat(change.former()).isEqualTo(former);
      assertThat(change.written()).contains(line.written());
      assertThat(change.secondInverse().orElse(change.inverse()).written()).isEqualTo(former);
      assertThat(change.inverse().former()).contains(line.written());
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void isRefused_whenItIsStoppedAlready(OwnerKindLine line) {
    Workload workload = line.workload(Optional.of(line.written()));

    assertThat(refused(workload).code()).isEqualTo("already-stopped");
  }

  @ParameterizedTest
  @MethodSource("linesWithoutAbsence")
  void isRefused_whenAnAbsentFieldCouldNotBeRestored(OwnerKindLine line) {
    assertThat(refused(line.workload(Optional.empty())).code())
        .isIn("replicas-unset", "minimum-unset", "not-running");
  }

  @ParameterizedTest
  @MethodSource("lines")
  void isOfItsGroupAlone(OwnerKindLine line) {
    String kind = line.owner().substring(line.owner().indexOf(' '));
    OwnerDraft draft = OwnerDraft.of("example.com/v1" + kind).with(line.required());
    line.formers().getLast().ifPresent(value -> draft.with(line.path(), value));

    assertThat(refused(draft.draw()).code()).isEqualTo("owner-would-recreate");
  }

  @Test
  void writesAnExplicitFalseFirst_whereARayClusterHadNone() {
    FieldChange change = only(changes(OwnerDraft.of("ray.io/v1 RayCluster").draw()));

    assertThat(change.former()).isEmpty();
    assertThat(change.inverse().written()).contains("false");
    assertThat(change.secondInverse().orElseThrow().former()).contains("false");
    assertThat(change.secondInverse().orElseThrow().written()).isEmpty();
  }

  @Test
  void restoresARayClusterInOneStep_whereItHadAnExplicitFalse() {
    FieldChange change =
        only(changes(OwnerDraft.of("ray.io/v1 RayCluster").with(SUSPEND, "false").draw()));

    assertThat(change.inverse().written()).contains("false");
    assertThat(change.secondInverse()).isEmpty();
  }

  private static List<FieldChange> changes(Workload workload) {
    return possible(workload).changes(workload, NOW);
  }

  @Test
  void everyKindIsTested() {
    assertThat(
            lines().stream()
                .map(line -> OwnerDraft.of(line.owner()).draw().owner().orElseThrow())
                .map(Owner::qualifiedKind))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(StoppableKinds.ACTION, SuspendableKinds.ACTION, ScalableKinds.ACTION)
                .flatMap(action -> action.kinds().stream())
                .map(OwnerKind::qualifiedKind)
                .toList());
  }

  static Action.ChangeOwner possible(Workload workload) {
    ActionCheck check = Actions.ALL.check(workload, "auto").orElseThrow();
    assertThat(check).isInstanceOf(ActionCheck.Possible.class);
    return (Action.ChangeOwner) ((ActionCheck.Possible) check).action();
  }

  static ActionCheck.Refused refused(Workload workload) {
    ActionCheck check = Actions.ALL.check(workload, "auto").orElseThrow();
    assertThat(check).isInstanceOf(ActionCheck.Refused.class);
    return (ActionCheck.Refused) check;
  }

  private static FieldChange only(List<FieldChange> changes) {
    assertThat(changes).hasSize(1);
    return changes.getFirst();
  }
}
