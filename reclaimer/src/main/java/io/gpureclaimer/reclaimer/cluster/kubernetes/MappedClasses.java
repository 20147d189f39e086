package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission.PodSetUse;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names under which Kueue counts devices of DeviceClasses in its quotas. They are chosen in its
 * configuration ({@code deviceClassMappings}), which no object of the API server has, so they are
 * found in what it admitted.
 *
 * <p>A name counts only if there is no doubt: the pods of a Workload claim devices of one class,
 * and the Workload was admitted with one resource that its pods do not request by name, of exactly
 * so many.
 */
final class MappedClasses {
  /** What Kueue writes on the pods of what it admits. */
  private static final String WORKLOAD = "kueue.x-k8s.io/workload";

  private MappedClasses() {}

  /**
   * The classes of each name, as {@link GpuShare} has them.
   *
   * @param pods with claims
   */
  static Map<String, Set<String>> of(List<PodView> pods, Collection<Admission> admissions) {
    Map<String, Admission> byPods = new HashMap<>();
    for (Admission admission : admissions) {
      byPods.put(key(admission.namespace(), admission.workload()), admission);
      admission.owners().forEach(uid -> byPods.put(uid, admission));
    }
    Map<String, Set<String>> mapped = new HashMap<>();
    for (PodView pod : pods) {
      Map<String, Integer> claimed = byClass(pod);
      if (claimed.size() == 1) {
        claimed.forEach(
            (name, devices) ->
                admission(pod, byPods)
                    .flatMap(admission -> name(admission, devices))
                    .ifPresent(
                        resource ->
                            mapped.computeIfAbsent(resource, _ -> new HashSet<>()).add(name)));
      }
    }
    return mapped;
  }

  private static Map<String, Integer> byClass(PodView pod) {
    return pod.accelerators().requestedByClass().entrySet().stream()
        .collect(
            Collectors.toMap(
                each -> GpuShare.withoutSelectors(each.getKey()),
                Map.Entry::getValue,
                Integer::sum));
  }

  private static Optional<Admission> admission(PodView pod, Map<String, Admission> byPods) {
    return Stream.of(
            Optional.ofNullable(pod.annotations().get(WORKLOAD))
                .map(workload -> key(pod.ref().namespace(), workload)),
            Optional.of(pod.ref().uid()),
            pod.owner().map(Owner::uid))
        .flatMap(Optional::stream)
        .flatMap(key -> Optional.ofNullable(byPods.get(key)).stream())
        .findFirst();
  }

  /** The only name, if each of its pods counts with so many devices. */
  private static Optional<String> name(Admission admission, int devices) {
    Set<String> resources =
        admission.podSets().stream()
            .flatMap(podSet -> podSet.resources().keySet().stream())
            .collect(Collectors.toSet());
    return resources.size() == 1
            && admission.podSets().stream().allMatch(podSet -> counts(podSet, devices))
        ? Optional.of(resources.iterator().next())
        : Optional.empty();
  }

  private static boolean counts(PodSetUse podSet, int devices) {
    return podSet.resources().values().stream()
        .allMatch(amount -> amount == podSet.pods() * devices);
  }

  private static String key(String namespace, String workload) {
    return namespace + "/" + workload;
  }
}
