package io.gpureclaimer.reclaimer.action.stop;

import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.action.OwnerKind;
import io.gpureclaimer.reclaimer.action.OwnerKind.PreFlightCheck;
import io.gpureclaimer.reclaimer.action.OwnerKind.StopEffect;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import java.util.List;

/** Owners that their users stop and start with a mark on the object. */
public final class StoppableKinds {
  private static final StopEffect NOTEBOOK =
      new StopEffect("kernels and terminals; volumes are kept", "the pod with the same volumes");
  private static final StopEffect INFERENCE =
      new StopEffect(
          "routes and autoscalers with the pods: clients get 404",
          "the service under the same URL");

  private static final String MIN_SCALE =
      FieldChange.annotation("autoscaling.knative.dev/min-scale");

  /** Without a minimum, requests keep the pods, and Knative removes them when these end. */
  private static final PreFlightCheck MIN_SCALE_SET =
      new PreFlightCheck(
          "minimum-unset",
          "it has no minimum of pods",
          "has no annotation autoscaling.knative.dev/min-scale, so only requests keep its pods",
          MIN_SCALE,
          value -> value.isEmpty());

  /** Stops an owner. */
  public static final OwnerAction ACTION =
      new OwnerAction(
          "stop",
          "stopped",
          List.of(
              OwnerKind.stoppedAt(
                  "Notebook.kubeflow.org",
                  FieldChange.annotation("kubeflow-resource-stopped"),
                  NOTEBOOK),
              OwnerKind.of("Workspace.kubeflow.org", "/spec/paused", "true", NOTEBOOK),
              inference("InferenceService.serving.kserve.io"),
              inference("LLMInferenceService.serving.kserve.io"),
              OwnerKind.of(
                      "Revision.serving.knative.dev",
                      MIN_SCALE,
                      "\"0\"",
                      new StopEffect(
                          "nothing while no request comes; the first one waits for a pod",
                          "the former minimum of pods"))
                  .below("Configuration.serving.knative.dev", "Service.serving.knative.dev")
                  .refusing(MIN_SCALE_SET),
              OwnerKind.of(
                  "DevWorkspace.workspace.devfile.io",
                  "/spec/started",
                  "false",
                  new StopEffect(
                      "terminals and processes; volumes are kept",
                      "the workspace, on request only"))));

  private StoppableKinds() {}

  private static OwnerKind inference(String qualifiedKind) {
    return OwnerKind.of(
        qualifiedKind, FieldChange.annotation("serving.kserve.io/stop"), "\"true\"", INFERENCE);
  }
}
