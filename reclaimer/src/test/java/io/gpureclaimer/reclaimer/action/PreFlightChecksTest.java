package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.reclaimer.action.OwnerKindsTest.possible;
import static io.gpureclaimer.reclaimer.action.OwnerKindsTest.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before an owner is stopped, and which of several owners is stopped. */
class PreFlightChecksTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          apps/v1 StatefulSet | /spec/persistentVolumeClaimRetentionPolicy/whenScaled | "Delete" \
              | volumes-would-be-deleted \
              | StatefulSet/x deletes its volumes when it is scaled down (persistentVolumeClaimRetentionPolicy.whenScaled: Delete)
          apps/v1 Deployment | /metadata/labels/com.coder.workspace.id | "7f" \
              | managed-by-coder \
              | Deployment/x is a workspace of Coder, whose state would disagree with the cluster; stop it in Coder
          argoproj.io/v1alpha1 Rollout | /spec/workloadRef | {"kind":"Deployment"} \
              | pods-of-a-reference \
              | Rollout/x runs the pods of another workload (spec.workloadRef), whose replicas Argo Rollouts writes
          apps.nvidia.com/v1alpha1 NIMService | /spec/scale/enabled | true \
              | replicas-ignored \
              | NIMService/x has spec.scale.enabled: true, so its operator ignores spec.replicas
          batch/v1 Job | /spec/managedBy | "kueue.x-k8s.io/multikueue" \
              | managed-elsewhere \
              | Job/x is managed by "kueue.x-k8s.io/multikueue", which may not know spec.suspend
          batch/v1 Job | /status/conditions | [{"type":"Complete","status":"True"}] \
              | finished \
              | Job/x has finished, and its last pods are terminating
          batch/v1 Job | /status/conditions | [{"status":"True","type":"FailureTarget","reason":"x"}] \
              | finished \
              | Job/x has finished, and its last pods are terminating
          batch/v1 Job | /metadata/labels/kueue.x-k8s.io~1queue-name | "team-a" \
              | queued-by-kueue \
              | Job/x is in the queue "team-a" of Kueue, which would resume it at once, and its Workload cannot be read
          jobset.x-k8s.io/v1alpha2 JobSet | /spec/managedBy | "kueue.x-k8s.io/multikueue" \
              | managed-elsewhere \
              | JobSet/x is managed by "kueue.x-k8s.io/multikueue", which may not know spec.suspend
          jobset.x-k8s.io/v1alpha2 JobSet | /status/terminalState | "Failed" \
              | finished \
              | JobSet/x has finished ("Failed"), and its last pods are terminating
          trainer.kubeflow.org/v1alpha1 TrainJob | /spec/managedBy | "kueue.x-k8s.io/multikueue" \
              | managed-elsewhere \
              | TrainJob/x is managed by "kueue.x-k8s.io/multikueue", which may not know spec.suspend
          kubeflow.org/v1 PyTorchJob | /spec/runPolicy/managedBy | "kueue.x-k8s.io/multikueue" \
              | managed-elsewhere \
              | PyTorchJob/x is managed by "kueue.x-k8s.io/multikueue", which may not know spec.suspend
          ray.io/v1 RayCluster | /spec/managedBy | "kueue.x-k8s.io/multikueue" \
              | managed-elsewhere \
              | RayCluster/x is managed by "kueue.x-k8s.io/multikueue", which may not know spec.suspend
          ray.io/v1 RayJob | /spec/shutdownAfterJobFinishes | false \
              | suspension-invalid \
              | RayJob/x does not set shutdownAfterJobFinishes: true, and KubeRay fails such a RayJob when it is suspended
          ray.io/v1 RayJob | /spec/clusterSelector | {"ray.io/cluster":"c"} \
              | shared-cluster \
              | RayJob/x runs in a cluster that it selects (spec.clusterSelector), and KubeRay fails such a RayJob when it is suspended
          ray.io/v1 RayJob | /status/jobDeploymentStatus | "Retrying" \
              | not-running \
              | RayJob/x is not running (jobDeploymentStatus "Retrying"), and KubeRay suspends only a RayJob that runs
          batch.volcano.sh/v1alpha1 Job | /status/state/phase | "Completing" \
              | not-running \
              | Job/x is not running (phase "Completing"), and a Job is aborted only while it runs
          batch.volcano.sh/v1alpha1 Job | /status/retryCount | 2 \
              | no-retry-left \
              | Job/x could not be resumed: a resume counts as one of spec.maxRetry (3), and Volcano fails a Job that has reached it
          batch.volcano.sh/v1alpha1 Job | /status/retryCount | "one" \
              | no-retry-left \
              | Job/x could not be resumed: a resume counts as one of spec.maxRetry (3), and Volcano fails a Job that has reached it
          batch.volcano.sh/v1alpha1 Job | /spec/maxRetry | 1 \
              | no-retry-left \
              | Job/x could not be resumed: a resume counts as one of spec.maxRetry (1), and Volcano fails a Job that has reached it
          batch.volcano.sh/v1alpha1 Job | /spec/maxRetry | 3.5 \
              | no-retry-left \
              | Job/x could not be resumed: a resume counts as one of spec.maxRetry (3.5), and Volcano fails a Job that has reached it
          serving.kserve.io/v1beta1 InferenceService | /metadata/annotations/serving.kserve.io~1stop | "True" \
              | already-stopped \
              | InferenceService/x is stopped already, and its pods are still there
          kubeflow.org/v1 Notebook | /metadata/annotations/kubeflow-resource-stopped | "odh-notebook-controller-lock" \
              | already-stopped \
              | Notebook/x is stopped already, and its pods are still there
          """)
  void refusesAnOwner_whenAFieldObjects(
      String owner, String path, String value, String code, String reason) {
    Refused refused = refused(ordinary(owner).with(path, value).draw());

    assertThat(refused.code()).isEqualTo(code);
    assertThat(refused.reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          batch/v1 Job | /spec/managedBy | "kubernetes.io/job-controller"
          batch/v1 Job | /status/conditions | [{"type":"Complete","status":"False"},{"type":"Suspended","status":"True"}]
          jobset.x-k8s.io/v1alpha2 JobSet | /spec/managedBy | "jobset.sigs.k8s.io/jobset-controller"
          jobset.x-k8s.io/v1alpha2 JobSet | /status/terminalState | ""
          trainer.kubeflow.org/v1alpha1 TrainJob | /spec/managedBy | "trainer.kubeflow.org/trainjob-controller"
          kubeflow.org/v1 PyTorchJob | /spec/runPolicy/managedBy | "kubeflow.org/training-operator"
          kubeflow.org/v2beta1 MPIJob | /spec/runPolicy/managedBy | "kubeflow.org/mpi-operator"
          ray.io/v1 RayJob | /status/jobDeploymentStatus | "Initializing"
          batch.volcano.sh/v1alpha1 Job | /status/retryCount | 1
          apps/v1 StatefulSet | /spec/persistentVolumeClaimRetentionPolicy/whenScaled | "Retain"
          apps.nvidia.com/v1alpha1 NIMService | /spec/scale/enabled | false
          """)
  void stopsAnOwner_whenNoFieldObjects(String owner, String path, String value) {
    assertThat(possible(ordinary(owner).with(path, value).draw())).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "kubevirt.io/v1 VirtualMachine, VirtualMachine/x passes its GPUs through to a virtual machine",
    "argoproj.io/v1alpha1 Workflow, Workflow/x keeps its running pods when it is suspended",
    "apps/v1 DaemonSet, DaemonSet/x runs a pod on each of its nodes",
    "apps.nvidia.com/v1alpha1 NIMPipeline, NIMPipeline/x writes the replicas of its NIMServices",
  })
  void refusesAKindForItsOwnReason(String owner, String reason) {
    Refused refused = refused(OwnerDraft.of("batch/v1 Job", owner).draw());

    assertThat(refused.code()).isEqualTo("no-action-for-kind");
    assertThat(refused.reason()).startsWith(reason);
  }

  @Test
  void refusesAPodOfCoder() {
    var traits =
        new PodTraits(
            Map.of("app.kubernetes.io/name", "coder-workspace"),
            false,
            List.of(),
            Optional.empty());
    var workload =
        new Workload("ml", Optional.empty(), List.of(PodDraft.pod("coder").traits(traits).draw()));

    assertThat(refused(workload).code()).isEqualTo("managed-by-coder");
  }

  /** From the owner of the pod to the top; the second column is what is changed. */
  @ParameterizedTest
  @CsvSource({
    "Deployment, apps/v1 ReplicaSet;apps/v1 Deployment",
    "InferenceService,"
        + " apps/v1 ReplicaSet;apps/v1 Deployment;serving.kserve.io/v1beta1 InferenceService",
    "InferenceService, apps/v1 ReplicaSet;apps/v1 Deployment;serving.knative.dev/v1 Revision;"
        + "serving.knative.dev/v1 Configuration;serving.knative.dev/v1 Service;"
        + "serving.kserve.io/v1beta1 InferenceService",
    "Revision, apps/v1 ReplicaSet;apps/v1 Deployment;serving.knative.dev/v1 Revision;"
        + "serving.knative.dev/v1 Configuration;serving.knative.dev/v1 Service",
    "TrainJob, batch/v1 Job;jobset.x-k8s.io/v1alpha2 JobSet;trainer.kubeflow.org/v1alpha1 TrainJob",
    "LeaderWorkerSet, apps/v1 StatefulSet;leaderworkerset.x-k8s.io/v1 LeaderWorkerSet",
    "SparkApplication, v1 Pod;sparkoperator.k8s.io/v1beta2 SparkApplication",
    "SparkApplication, v1 Pod;sparkoperator.k8s.io/v1beta2 SparkApplication;"
        + "sparkoperator.k8s.io/v1beta2 ScheduledSparkApplication",
    "Job, batch/v1 Job;batch/v1 CronJob",
    "RayJob, ray.io/v1 RayCluster;ray.io/v1 RayJob",
    "RayService, ray.io/v1 RayCluster;ray.io/v1 RayService",
    "MPIJob, batch/v1 Job;kubeflow.org/v2beta1 MPIJob",
    "PodCliqueSet, grove.io/v1alpha1 PodClique;grove.io/v1alpha1 PodCliqueScalingGroup;"
        + "grove.io/v1alpha1 PodCliqueSet",
    "Notebook, apps/v1 StatefulSet;kubeflow.org/v1 Notebook",
    "DevWorkspace,"
        + " apps/v1 ReplicaSet;apps/v1 Deployment;workspace.devfile.io/v1alpha2 DevWorkspace",
    "NIMService, apps/v1 ReplicaSet;apps/v1 Deployment;apps.nvidia.com/v1alpha1 NIMService",
  })
  void changesTheTopmostOwnerThatItKnows(String target, String chain) {
    Workload workload = ordinary(chain.split(";")).draw();

    List<FieldChange> changes = possible(workload).changes(workload, Instant.EPOCH);

    assertThat(changes).extracting(change -> change.object().kind()).containsExactly(target);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "apps/v1 ReplicaSet;apps/v1 Deployment;example.com/v1 Model",
        "batch/v1 Job;example.com/v1 CronJob",
        "grove.io/v1alpha1 PodCliqueSet;nvidia.com/v1beta1 DynamoGraphDeployment",
        "apps/v1 StatefulSet;leaderworkerset.x-k8s.io/v1 LeaderWorkerSet;"
            + "leaderworkerset.x-k8s.io/v1alpha1 DisaggregatedSet",
      })
  void changesNoChildOfAnOwnerThatItDoesNotKnow(String chain) {
    assertThat(refused(ordinary(chain.split(";")).draw()).code())
        .isIn("owner-would-recreate", "no-action-for-kind");
  }

  /** A suspended Job would be resumed by Kueue; its Workload is deactivated instead. */
  @ParameterizedTest
  @ValueSource(strings = {"batch/v1 Job", "batch/v1 Job;batch/v1 CronJob"})
  void deactivatesTheWorkloadOfAQueuedJob(String chain) {
    Workload workload = OwnerDraft.of(chain.split(";")).queuedByKueue().draw();

    List<FieldChange> changes = possible(workload).changes(workload, Instant.EPOCH);

    assertThat(changes)
        .extracting(change -> change.object().kind(), FieldChange::path, FieldChange::written)
        .containsExactly(tuple("Workload", "/spec/active", Optional.of("false")));
  }

  /** Owners without anything that stands against an action. */
  private static OwnerDraft ordinary(String... kinds) {
    return OwnerDraft.of(kinds)
        .with("/spec/replicas", "2")
        .with("/metadata/annotations/autoscaling.knative.dev~1min-scale", "\"1\"")
        .with("/spec/shutdownAfterJobFinishes", "true")
        .with("/status/state/phase", "\"Running\"")
        .with("/spec/maxRetry", "3")
        .with("/status/jobDeploymentStatus", "\"Running\"");
  }
}
