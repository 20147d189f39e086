package io.gpureclaimer.reclaimer.action.suspend;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.action.OwnerKind;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Optional;

/** Owners that remove their pods while they are suspended, and start them again later. */
public final class SuspendableKinds {
  private static final String MANAGED_BY = "/spec/managedBy";

  /** Suspends an owner. */
  public static final OwnerAction ACTION =
      new OwnerAction(
          "suspend",
          "suspended",
          List.of(
              OwnerKind.of("Job.batch", "/spec/suspend", "true")
                  .below("CronJob.batch")
                  .checkedBy(SuspendableKinds::ownController, MANAGED_BY)));

  private SuspendableKinds() {}

  private static Optional<Refused> ownController(OwnerView owner, Workload workload) {
    return owner
        .details()
        .orElseThrow()
        .field(MANAGED_BY)
        .filter(controller -> !controller.equals("\"kubernetes.io/job-controller\""))
        .map(
            controller ->
                new Refused(
                    "managed-elsewhere",
                    "another controller manages it",
                    owner.owner()
                        + " is managed by "
                        + controller
                        + ", which may not know spec.suspend"));
  }
}
