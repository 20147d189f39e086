package io.gpureclaimer.reclaimer.action.scale;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.action.OwnerKind;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Optional;

/** Owners that run no pods at zero replicas. */
public final class ScalableKinds {
  private static final String REPLICAS = "/spec/replicas";
  private static final String WHEN_SCALED = "/spec/persistentVolumeClaimRetentionPolicy/whenScaled";

  /** Scales an owner to zero. */
  public static final OwnerAction ACTION =
      new OwnerAction(
          "scale",
          "scaled to zero",
          List.of(
              scalable("Deployment.apps"),
              scalable("ReplicaSet.apps"),
              scalable("StatefulSet.apps").checkedBy(ScalableKinds::volumesStay, WHEN_SCALED)));

  private ScalableKinds() {}

  /** A custom kind with a scale subresource whose replicas are in {@code spec.replicas}. */
  public static OwnerKind custom(String qualifiedKind) {
    return scalable(qualifiedKind);
  }

  private static OwnerKind scalable(String qualifiedKind) {
    return OwnerKind.of(qualifiedKind, REPLICAS, "0")
        .through(FieldChange.SCALE)
        .checkedBy(ScalableKinds::replicasKnown);
  }

  /** The scale subresource shows zero where the field is absent, and cannot restore that. */
  private static Optional<Refused> replicasKnown(OwnerView owner, Workload workload) {
    return owner.details().orElseThrow().field(REPLICAS).isPresent()
        ? Optional.empty()
        : Optional.of(
            new Refused(
                "replicas-unset",
                "spec.replicas is not set",
                owner.owner() + " does not set spec.replicas, so it could not be restored"));
  }

  private static Optional<Refused> volumesStay(OwnerView owner, Workload workload) {
    return owner.details().orElseThrow().field(WHEN_SCALED).equals(Optional.of("\"Delete\""))
        ? Optional.of(
            new Refused(
                "volumes-would-be-deleted",
                "scaling deletes its volumes",
                owner.owner()
                    + " deletes its volumes when it is scaled down"
                    + " (persistentVolumeClaimRetentionPolicy.whenScaled: Delete)"))
        : Optional.empty();
  }
}
