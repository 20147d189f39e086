package io.gpureclaimer.reclaimer.action;

import static java.util.Map.entry;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.action.scale.ScalableKinds;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.Map;
import java.util.Optional;

/** Kinds of owners that no action may stop, each for a reason of its own. */
final class UnsupportedKinds {
  /** Why, as what follows the owner's name in a sentence; by kind and group. */
  static final Map<String, Unsupported> ALL =
      Map.ofEntries(
          entry("VirtualMachine.kubevirt.io", virtualMachine()),
          entry("VirtualMachineInstance.kubevirt.io", virtualMachine()),
          entry("Workflow.argoproj.io", workflow()),
          entry("CronWorkflow.argoproj.io", workflow()),
          entry(
              "DaemonSet.apps",
              new Unsupported(
                  "a DaemonSet cannot be scaled",
                  "runs a pod on each of its nodes, and has no number of replicas")),
          entry(
              "DisaggregatedSet.leaderworkerset.x-k8s.io",
              new Unsupported(
                  "its roles stop only together",
                  "scales its roles together or not at all, which is not supported")),
          entry(
              "NIMPipeline.apps.nvidia.com",
              new Unsupported(
                  "its operator writes its NIMServices",
                  "writes the replicas of its NIMServices, so a change of them does not last")),
          entry(
              "DynamoGraphDeployment.nvidia.com",
              new Unsupported(
                  "its services have no scaling adapters",
                  "has no DynamoGraphDeploymentScalingAdapter that can be read, and without"
                      + " scalingAdapter its operator keeps the replicas of a service")));

  private UnsupportedKinds() {}

  /**
   * Why no action may stop a kind.
   *
   * @param obstacle in a few words
   * @param reason what follows the owner's name in a sentence
   */
  record Unsupported(String obstacle, String reason) {}

  /** The refusal of a workload of such a kind. */
  static Optional<Refused> refusal(Workload workload) {
    return workload
        .owner()
        .filter(_ -> ScalableKinds.ACTION.kindOf(workload).isEmpty())
        .flatMap(UnsupportedKinds::refusal)
        .or(() -> coder(workload));
  }

  private static Optional<Refused> refusal(Owner owner) {
    return Optional.ofNullable(ALL.get(owner.qualifiedKind()))
        .map(
            kind ->
                new Refused(OwnerAction.OTHER_KIND, kind.obstacle(), owner + " " + kind.reason()));
  }

  private static Optional<Refused> coder(Workload workload) {
    return "coder-workspace"
            .equals(workload.firstPod().traits().labels().get("app.kubernetes.io/name"))
        ? Optional.of(
            new Refused(
                "managed-by-coder",
                "it is a Coder workspace",
                "its pods are a workspace of Coder, whose state would disagree with the cluster;"
                    + " stop it in Coder"))
        : Optional.empty();
  }

  private static Unsupported virtualMachine() {
    return new Unsupported(
        "the GPUs of a virtual machine show no use",
        "passes its GPUs through to a virtual machine, where their use is not visible");
  }

  private static Unsupported workflow() {
    return new Unsupported(
        "a Workflow cannot be resumed",
        "keeps its running pods when it is suspended, and fails them when it is shut down");
  }
}
