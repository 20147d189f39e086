package io.gpureclaimer.reclaimer.policy;

import static java.util.Map.entry;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.workload.OwnerChain;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Detects the class of a workload; the topmost owner of a known kind decides. */
final class ClassRule {
  private static final Map<String, WorkloadClass> KINDS =
      Map.ofEntries(
          entry("Notebook", WorkloadClass.INTERACTIVE),
          entry("Workspace", WorkloadClass.INTERACTIVE),
          entry("InferenceService", WorkloadClass.SERVING),
          entry("LLMInferenceService", WorkloadClass.SERVING),
          entry("Revision", WorkloadClass.SERVING),
          entry("Configuration", WorkloadClass.SERVING),
          entry("Service", WorkloadClass.SERVING),
          entry("LeaderWorkerSet", WorkloadClass.SERVING),
          entry("RayService", WorkloadClass.SERVING),
          entry("SeldonDeployment", WorkloadClass.SERVING),
          entry("Job", WorkloadClass.BATCH),
          entry("CronJob", WorkloadClass.BATCH),
          entry("JobSet", WorkloadClass.BATCH),
          entry("PyTorchJob", WorkloadClass.BATCH),
          entry("TFJob", WorkloadClass.BATCH),
          entry("MPIJob", WorkloadClass.BATCH),
          entry("XGBoostJob", WorkloadClass.BATCH),
          entry("PaddleJob", WorkloadClass.BATCH),
          entry("JAXJob", WorkloadClass.BATCH),
          entry("TrainJob", WorkloadClass.BATCH),
          entry("RayJob", WorkloadClass.BATCH),
          entry("AppWrapper", WorkloadClass.BATCH),
          entry("Workload", WorkloadClass.BATCH),
          entry("Workflow", WorkloadClass.BATCH),
          entry("TaskRun", WorkloadClass.BATCH),
          entry("PodGroup", WorkloadClass.BATCH),
          entry("RayCluster", WorkloadClass.ELASTIC),
          entry("SparkApplication", WorkloadClass.ELASTIC),
          entry("DaskCluster", WorkloadClass.ELASTIC));

  /** Kinds that run anything: what they run is serving only if clients can connect to it. */
  private static final Set<String> GENERAL_KINDS =
      Set.of("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet");

  /** Labels and group keys that say it for pods without a known owner. */
  private static final Map<String, WorkloadClass> KEYS =
      Map.ofEntries(
          entry("notebook-name", WorkloadClass.INTERACTIVE),
          entry("hub.jupyter.org/username", WorkloadClass.INTERACTIVE),
          entry("serving.kserve.io/inferenceservice", WorkloadClass.SERVING),
          entry("serving.knative.dev/service", WorkloadClass.SERVING),
          entry("serving.knative.dev/revision", WorkloadClass.SERVING),
          entry("leaderworkerset.sigs.k8s.io/name", WorkloadClass.SERVING),
          entry("job-name", WorkloadClass.BATCH),
          entry("batch.kubernetes.io/job-name", WorkloadClass.BATCH),
          entry("jobset.sigs.k8s.io/jobset-name", WorkloadClass.BATCH),
          entry("training.kubeflow.org/job-name", WorkloadClass.BATCH),
          entry("workflows.argoproj.io/workflow", WorkloadClass.BATCH),
          entry("kueue.x-k8s.io/queue-name", WorkloadClass.BATCH),
          entry("kueue.x-k8s.io/pod-group-name", WorkloadClass.BATCH),
          entry("scheduling.k8s.io/group-name", WorkloadClass.BATCH),
          entry("scheduling.x-k8s.io/pod-group", WorkloadClass.BATCH),
          entry("scheduling.volcano.sh/pod-group", WorkloadClass.BATCH),
          entry("pod-group.scheduling.sigs.k8s.io", WorkloadClass.BATCH),
          entry("pod-group.scheduling.sigs.k8s.io/name", WorkloadClass.BATCH),
          entry("spark-role", WorkloadClass.ELASTIC),
          entry("trainer.kubeflow.org/trainjob-ancestor-step", WorkloadClass.BATCH),
          entry("ray.io/cluster", WorkloadClass.ELASTIC));

  private static final Map<String, String> JUPYTER =
      Map.of("component", "singleuser-server", "app.kubernetes.io/component", "singleuser-server");

  private ClassRule() {}

  /** The class of a pod and how it is known. */
  static Setting<WorkloadClass> of(PodView pod, OwnerChain lineage) {
    return byOwner(pod, lineage)
        .or(() -> byLabel(pod))
        .or(() -> byGroup(pod))
        .or(() -> byTerminal(pod))
        .orElseGet(() -> new Setting<>(WorkloadClass.OTHER, new Origin.Defaults()));
  }

  private static Optional<Setting<WorkloadClass>> byOwner(PodView pod, OwnerChain lineage) {
    if (lineage.unread().filter(ClassRule::identifiesWorkload).isPresent()) {
      return lineage.unread().map(owner -> ofOwner(owner, pod));
    }
    for (OwnerView view : lineage.owners().reversed()) {
      if (identifiesWorkload(view.owner())) {
        return Optional.of(ofOwner(view.owner(), pod));
      }
    }
    return Optional.empty();
  }

  private static boolean identifiesWorkload(Owner owner) {
    return KINDS.containsKey(owner.kind()) || GENERAL_KINDS.contains(owner.kind());
  }

  private static Setting<WorkloadClass> ofOwner(Owner owner, PodView pod) {
    String because = "it is of " + owner;
    WorkloadClass known = KINDS.get(owner.kind());
    if (known != null) {
      return detected(known, because);
    }
    return pod.traits()
        .endpoint()
        .map(endpoint -> detected(WorkloadClass.SERVING, because + ", with " + endpoint))
        .orElseGet(() -> detected(WorkloadClass.OTHER, because + ", without a port for clients"));
  }

  private static Optional<Setting<WorkloadClass>> byLabel(PodView pod) {
    if (pod.traits().labels().isEmpty()) {
      return Optional.empty();
    }
    return pod.traits().labels().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(label -> byLabel(label.getKey(), label.getValue()).stream())
        .findFirst();
  }

  private static Optional<Setting<WorkloadClass>> byLabel(String key, String value) {
    String because = "it has the label " + key + "=" + value;
    return value.equals(JUPYTER.get(key))
        ? Optional.of(detected(WorkloadClass.INTERACTIVE, because))
        : Optional.ofNullable(KEYS.get(key)).map(known -> detected(known, because));
  }

  private static Optional<Setting<WorkloadClass>> byGroup(PodView pod) {
    return pod.traits()
        .group()
        .map(
            group ->
                detected(
                    KEYS.getOrDefault(group.key(), WorkloadClass.BATCH),
                    "it is of the group " + group));
  }

  private static Optional<Setting<WorkloadClass>> byTerminal(PodView pod) {
    return pod.traits().interactive()
        ? Optional.of(detected(WorkloadClass.INTERACTIVE, "it has a terminal, or only waits"))
        : Optional.empty();
  }

  private static Setting<WorkloadClass> detected(WorkloadClass what, String because) {
    return new Setting<>(what, new Origin.Detected(because));
  }
}
