package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a ResourceClaim.
 *
 * @param devices how many GPUs and MIG instances it has; a pod only observes those of admin access,
 *     so they do not count
 * @param others whether it also has what is not counted: devices of other drivers, shares of a
 *     device
 * @param holders UIDs of the pods and other objects that it is reserved for
 */
public record KnownClaim(boolean allocated, int devices, boolean others, Set<String> holders) {
  private static final String GPUS = "gpu.nvidia.com";

  /** Channels between nodes; the same driver has them, and they are no devices. */
  private static final String CHANNELS = "compute-domain.nvidia.com";

  public KnownClaim {
    holders = Set.copyOf(holders);
  }

  /** Reads what all versions of the API have: v1, v1beta2, v1beta1. */
  public static KnownClaim of(GenericKubernetesResource claim) {
    Map<?, ?> status = map(claim.getAdditionalProperties().get("status"));
    Map<?, ?> allocation = map(status.get("allocation"));
    Set<Map<?, ?>> results =
        maps(map(allocation.get("devices")).get("results"))
            .filter(result -> !Boolean.TRUE.equals(result.get("adminAccess")))
            .filter(result -> !CHANNELS.equals(result.get("driver")))
            .collect(Collectors.toUnmodifiableSet());
    var devices = new HashSet<List<Object>>();
    boolean others = false;
    for (Map<?, ?> result : results) {
      if (GPUS.equals(result.get("driver")) && !result.containsKey("shareID")) {
        devices.add(List.of(text(result, "pool"), text(result, "device")));
      } else {
        others = true;
      }
    }
    return new KnownClaim(!allocation.isEmpty(), devices.size(), others, holders(status));
  }

  private static Set<String> holders(Map<?, ?> status) {
    return maps(status.get("reservedFor"))
        .map(consumer -> text(consumer, "uid"))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<Map<?, ?>> maps(@Nullable Object list) {
    return list instanceof List<?> all ? all.stream().map(KnownClaim::map) : Stream.of();
  }

  private static Map<?, ?> map(@Nullable Object object) {
    return object instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String text(Map<?, ?> object, String name) {
    return String.valueOf(object.get(name));
  }

  /**
   * That a pod holds a ResourceClaim of its namespace.
   *
   * @param inPod what the pod's specification calls it
   * @param claim the claim's name; absent until it is made of its template, or if none was needed
   * @param needless whether the template led to no claim, as the pod's status says
   */
  public record ClaimReference(String inPod, Optional<String> claim, boolean needless) {

    /** All that the pod has. */
    static List<ClaimReference> of(Pod pod) {
      return pod.getSpec().getResourceClaims().stream().map(each -> of(each, pod)).toList();
    }

    private static ClaimReference of(PodResourceClaim declared, Pod pod) {
      String inPod = Objects.requireNonNull(declared.getName(), "spec.resourceClaims.name");
      if (isSet(declared.getResourceClaimName())) {
        return new ClaimReference(inPod, Optional.of(declared.getResourceClaimName()), false);
      }
      Optional<PodResourceClaimStatus> status =
          Optional.ofNullable(pod.getStatus()).stream()
              .flatMap(known -> known.getResourceClaimStatuses().stream())
              .filter(each -> inPod.equals(each.getName()))
              .findFirst();
      Optional<String> claim =
          status.map(PodResourceClaimStatus::getResourceClaimName).filter(ClaimReference::isSet);
      return new ClaimReference(inPod, claim, status.isPresent() && claim.isEmpty());
    }

    private static boolean isSet(@Nullable String text) {
      return text != null && !text.isEmpty();
    }
  }
}
