package io.gpureclaimer.reclaimer.action.scale;

import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.action.OwnerKind;
import io.gpureclaimer.reclaimer.action.OwnerKind.PreFlightCheck;
import io.gpureclaimer.reclaimer.action.OwnerKind.StopEffect;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import java.util.List;

/** Owners that run no pods at zero replicas. */
public final class ScalableKinds {
  static final String REPLICAS = "/spec/replicas";
  private static final StopEffect EFFECT =
      new StopEffect("the state of the processes", "the former number of pods");

  /** The scale subresource shows zero where the field is absent, and cannot restore that. */
  private static final PreFlightCheck REPLICAS_SET =
      new PreFlightCheck(
          "replicas-unset",
          "spec.replicas is not set",
          "does not set spec.replicas, so it could not be restored",
          REPLICAS,
          value -> value.isEmpty());

  private static final PreFlightCheck VOLUMES_KEPT =
      PreFlightCheck.ifEqual(
          "/spec/persistentVolumeClaimRetentionPolicy/whenScaled",
          "\"Delete\"",
          "volumes-would-be-deleted",
          "scaling deletes its volumes",
          "deletes its volumes when it is scaled down"
              + " (persistentVolumeClaimRetentionPolicy.whenScaled: Delete)");

  private static final PreFlightCheck OWN_TEMPLATE =
      PreFlightCheck.ifPresent(
          "/spec/workloadRef",
          "pods-of-a-reference",
          "it refers to another workload",
          "runs the pods of another workload (spec.workloadRef), whose replicas Argo Rollouts"
              + " writes");

  private static final PreFlightCheck NO_AUTOSCALING =
      PreFlightCheck.ifEqual(
          "/spec/scale/enabled",
          "true",
          "replicas-ignored",
          "its operator ignores spec.replicas",
          "has spec.scale.enabled: true, so its operator ignores spec.replicas");

  private static final PreFlightCheck NOT_CODER =
      PreFlightCheck.ifPresent(
          FieldChange.label("com.coder.workspace.id"),
          "managed-by-coder",
          "it is a Coder workspace",
          "is a workspace of Coder, whose state would disagree with the cluster; stop it in Coder");

  /** Scales an owner to zero. */
  public static final OwnerAction ACTION =
      new OwnerAction(
          "scale",
          "scaled to zero",
          List.of(
              custom("Deployment.apps").refusing(NOT_CODER),
              custom("ReplicaSet.apps"),
              custom("StatefulSet.apps")
                  .refusing(VOLUMES_KEPT, NOT_CODER)
                  .withEffect(
                      "the state of the processes",
                      "the former number of pods, with the same names and volumes"),
              custom("LeaderWorkerSet.leaderworkerset.x-k8s.io")
                  .withEffect("the state of the processes", "the former number of groups"),
              custom("Rollout.argoproj.io").refusing(OWN_TEMPLATE),
              custom("PodCliqueSet.grove.io")
                  .withEffect("the state of the processes", "the former number of replicas"),
              custom("DynamoGraphDeploymentScalingAdapter.nvidia.com")
                  .below("DynamoGraphDeployment.nvidia.com")
                  .oneForEach("nvidia.com/dynamo-component")
                  .withEffect(
                      "the state of the processes of each service with GPUs",
                      "the former number of replicas of each service"),
              OwnerKind.of("NIMService.apps.nvidia.com", REPLICAS, "0", EFFECT)
                  .refusing(NO_AUTOSCALING)));

  private ScalableKinds() {}

  /** A kind with a scale subresource whose replicas are in {@code spec.replicas}. */
  public static OwnerKind custom(String qualifiedKind) {
    return OwnerKind.of(qualifiedKind, REPLICAS, "0", EFFECT).byScale().refusing(REPLICAS_SET);
  }
}
