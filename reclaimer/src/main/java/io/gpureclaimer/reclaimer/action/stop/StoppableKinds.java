package io.gpureclaimer.reclaimer.action.stop;

import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.action.OwnerKind;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import java.util.List;

/** Owners that their users stop and start with a mark on the object. */
public final class StoppableKinds {

  /** Stops an owner. */
  public static final OwnerAction ACTION =
      new OwnerAction(
          "stop",
          "stopped",
          List.of(
              OwnerKind.of(
                  "Notebook.kubeflow.org",
                  FieldChange.annotation("kubeflow-resource-stopped"),
                  "\"stopped-by-gpu-reclaimer\"")));

  private StoppableKinds() {}
}
