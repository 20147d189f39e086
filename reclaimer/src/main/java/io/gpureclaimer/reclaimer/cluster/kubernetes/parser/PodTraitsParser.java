package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a pod looks like. */
final class PodTraitsParser {

  /** Labels that say what a pod is for. Any other is forgotten: there are tens of thousands. */
  private static final Set<String> WORKLOAD_KEYS =
      Set.of(
          "app.kubernetes.io/component",
          "app.kubernetes.io/managed-by",
          "app.kubernetes.io/name",
          "batch.kubernetes.io/job-name",
          "component",
          "hub.jupyter.org/username",
          "job-name",
          "jobset.sigs.k8s.io/jobset-name",
          "kueue.x-k8s.io/queue-name",
          PodTraits.REPLICA,
          "leaderworkerset.sigs.k8s.io/name",
          "notebook-name",
          "nvidia.com/dynamo-component",
          "ray.io/cluster",
          "ray.io/group",
          "ray.io/node-type",
          "serving.knative.dev/revision",
          "serving.knative.dev/service",
          "serving.kserve.io/inferenceservice",
          "spark-role",
          "trainer.kubeflow.org/trainjob-ancestor-step",
          "training.kubeflow.org/job-name",
          "training.kubeflow.org/replica-type",
          "workflows.argoproj.io/workflow");

  /** What groups pods of which none is idle alone. */
  private static final List<String> GROUPS =
      List.of(
          "kueue.x-k8s.io/pod-group-name",
          "scheduling.k8s.io/group-name",
          "scheduling.volcano.sh/group-name",
          "scheduling.x-k8s.io/pod-group",
          "pod-group.scheduling.sigs.k8s.io/name",
          "pod-group.scheduling.sigs.k8s.io",
          "pod-group-name",
          "gang.scheduling.koordinator.sh/name",
          "yunikorn.apache.org/task-group-name",
          "leaderworkerset.sigs.k8s.io/name",
          "jobset.sigs.k8s.io/jobset-name",
          "ray.io/cluster",
          "training.kubeflow.org/job-name",
          "spark-app-selector");

  /** A container that waits for a person to log in: only a shell and a long sleep. */
  private static final Pattern WAITS_ONLY =
      Pattern.compile(
          "(?:\\S*/)?(?:(?:tini|dumb-init)\\s+(?:--\\s+)?)?"
              + "(?:(?:\\S*/)?(?:ba|da|a|z)?sh\\s+-\\w*c\\s+)?(?:trap\\s[^;]*;\\s*)?"
              + "(?:exec\\s+)?(?:\\S*/)?(?:sleep\\s+(?:inf|infinity|\\d+d|\\d+h|\\d{4,}s?)"
              + "|tail\\s+-[fF]\\s+/dev/null"
              + "|while\\s+(?:true|:|sleep\\s+\\w+)\\s*;\\s*do\\s+(?:sleep\\s+\\w+|:)\\s*;?\\s*done)"
              + "\\s*;?\\s*(?:&\\s*wait\\s*;?)?\\s*");

  /** Names of ports for monitoring, debugging, and the ranks of a job among themselves. */
  private static final Pattern AUXILIARY_NAMES =
      Pattern.compile(
          "metric|prom|health|probe|debug|prof|ssh|tensorboard|envoy|admin|rdzv|c10d|nccl|gloo|mpi"
              + "|master");

  /** The same where the port has no name: SSH, TensorBoard, the master of PyTorch. */
  private static final Set<Integer> AUXILIARY_PORTS = Set.of(22, 6006, 29500);

  private PodTraitsParser() {}

  /**
   * The traits of a pod.
   *
   * @param teamLabel a label that is kept in addition
   */
  static PodTraits of(Pod pod, Optional<String> teamLabel) {
    Map<String, String> labels = MetadataParser.asEmpty(pod.getMetadata().getLabels());
    PodSpec spec = pod.getSpec();
    return new PodTraits(
        kept(labels, teamLabel),
        spec.getContainers().stream().anyMatch(PodTraitsParser::isInteractive),
        scratch(spec),
        scheduledTogether(spec)
            .or(() -> group(labels, MetadataParser.asEmpty(pod.getMetadata().getAnnotations()))),
        endpoint(spec));
  }

  /**
   * The first port that clients may connect to. Sidecars have ports for their own purposes, so only
   * containers with accelerators count.
   */
  private static Optional<String> endpoint(PodSpec spec) {
    return spec.getContainers().stream()
        .filter(PodTraitsParser::hasAccelerator)
        .flatMap(container -> container.getPorts().stream())
        .filter(port -> !isAuxiliary(port))
        .findFirst()
        .map(
            port ->
                "port "
                    + port.getContainerPort()
                    + (port.getName() == null ? "" : " (" + port.getName() + ")"));
  }

  /** Every accelerator is an extended resource or a claim. */
  private static boolean hasAccelerator(Container container) {
    ResourceRequirements required = container.getResources();
    return required != null
        && (!required.getClaims().isEmpty()
            || Stream.of(required.getLimits(), required.getRequests())
                .flatMap(quantities -> Stream.ofNullable(quantities))
                .flatMap(quantities -> quantities.keySet().stream())
                .anyMatch(resource -> resource.indexOf('/') > 0));
  }

  private static boolean isAuxiliary(ContainerPort port) {
    return AUXILIARY_PORTS.contains(port.getContainerPort())
        || (port.getName() != null && AUXILIARY_NAMES.matcher(port.getName()).find());
  }

  private static Map<String, String> kept(Map<String, String> labels, Optional<String> teamLabel) {
    return labels.entrySet().stream()
        .filter(
            label ->
                WORKLOAD_KEYS.contains(label.getKey())
                    || teamLabel.filter(label.getKey()::equals).isPresent())
        .collect(
            Collectors.toUnmodifiableMap(label -> label.getKey().intern(), Map.Entry::getValue));
  }

  private static boolean isInteractive(Container container) {
    String command =
        Stream.of(container.getCommand(), container.getArgs())
            .flatMap(List::stream)
            .collect(Collectors.joining(" "));
    return Boolean.TRUE.equals(container.getTty())
        || Boolean.TRUE.equals(container.getStdin())
        || WAITS_ONLY.matcher(command).matches();
  }

  /** A read-only volume holds no data of the pod. */
  private static List<String> scratch(PodSpec spec) {
    Set<String> written =
        Stream.of(spec.getInitContainers(), spec.getContainers())
            .flatMap(List::stream)
            .flatMap(container -> container.getVolumeMounts().stream())
            .filter(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
            .map(VolumeMount::getName)
            .collect(Collectors.toUnmodifiableSet());
    return spec.getVolumes().stream()
        .filter(volume -> isLost(volume) && written.contains(volume.getName()))
        .map(Volume::getName)
        .toList();
  }

  /** An {@code emptyDir} in memory is not: it is shared memory, like what a process allocates. */
  private static boolean isLost(Volume volume) {
    return volume.getHostPath() != null
        || volume.getEphemeral() != null
        || (volume.getEmptyDir() != null && !"Memory".equals(volume.getEmptyDir().getMedium()));
  }

  /** As Kubernetes itself groups pods. */
  private static Optional<Group> scheduledTogether(PodSpec spec) {
    return Optional.ofNullable(spec.getSchedulingGroup())
        .map(PodSchedulingGroup::getPodGroupName)
        .map(name -> new Group("spec.schedulingGroup.podGroupName", name));
  }

  private static Optional<Group> group(
      Map<String, String> labels, Map<String, String> annotations) {
    return GROUPS.stream()
        .flatMap(
            key ->
                Stream.of(labels, annotations)
                    .filter(written -> written.containsKey(key))
                    .map(written -> new Group(key, written.getOrDefault(key, ""))))
        .findFirst();
  }
}
