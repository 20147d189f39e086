package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.HashMap;
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
 * @param devices its GPUs and MIG instances; a pod only observes those of admin access, so they do
 *     not count
 * @param others whether it also has what is not counted: devices of other drivers, shares of a
 *     device
 * @param holders UIDs of the pods and other objects that it is reserved for
 * @param requested how many devices it requests by class and selectors; empty if it requests
 *     anything else as well, such as a constraint
 */
public record KnownClaim(
    boolean allocated,
    Set<PooledDevice> devices,
    boolean others,
    Set<String> holders,
    Map<String, Integer> requested) {
  /** NVIDIA's driver of GPUs and MIG devices. */
  public static final String GPUS = "gpu.nvidia.com";

  /** Channels between nodes; the same driver has them, and they are no devices. */
  private static final String CHANNELS = "compute-domain.nvidia.com";

  /** Where the pods run, what they tolerate and how devices relate is said by other fields. */
  private static final Set<String> FIELDS_OF_A_REQUEST =
      Set.of("deviceClassName", "selectors", "allocationMode", "count", "adminAccess");

  public KnownClaim {
    devices = Set.copyOf(devices);
    holders = Set.copyOf(holders);
    requested = Map.copyOf(requested);
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
    var devices = new HashSet<PooledDevice>();
    boolean others = false;
    for (Map<?, ?> result : results) {
      if (GPUS.equals(result.get("driver")) && !result.containsKey("shareID")) {
        devices.add(
            new PooledDevice(text(result, "pool").intern(), text(result, "device").intern()));
      } else {
        others = true;
      }
    }
    return new KnownClaim(
        !allocation.isEmpty(),
        devices,
        others,
        holders(status),
        requested(map(map(claim.getAdditionalProperties().get("spec")).get("devices"))));
  }

  /** By names as Kubernetes has them for a class, with the selectors, if any, in brackets. */
  private static Map<String, Integer> requested(Map<?, ?> devices) {
    Map<String, Integer> requested = new HashMap<>();
    for (Map<?, ?> request : maps(devices.get("requests")).toList()) {
      Map<?, ?> exactly = map(request.get("exactly"));
      if (!devices.keySet().equals(Set.of("requests"))
          || !request.keySet().equals(Set.of("name", "exactly"))
          || !FIELDS_OF_A_REQUEST.containsAll(exactly.keySet())
          || Boolean.TRUE.equals(exactly.get("adminAccess"))
          || !"ExactCount".equals(exactly.get("allocationMode"))
          || !(exactly.get("count") instanceof Number count)) {
        return Map.of();
      }
      requested.merge(resource(exactly), count.intValue(), Integer::sum);
    }
    return requested;
  }

  private static String resource(Map<?, ?> exactly) {
    String selectors =
        maps(exactly.get("selectors"))
            .map(selector -> text(map(selector.get("cel")), "expression"))
            .collect(Collectors.joining("; "));
    return (ResourceNames.CLASS_PREFIX
            + text(exactly, "deviceClassName")
            + (selectors.isEmpty() ? "" : " [" + selectors + "]"))
        .intern();
  }

  private static Set<String> holders(Map<?, ?> status) {
    return maps(status.get("reservedFor"))
        .map(consumer -> text(consumer, "uid"))
        .collect(Collectors.toUnmodifiableSet());
  }

  static Stream<Map<?, ?>> maps(@Nullable Object list) {
    return list instanceof List<?> all ? all.stream().map(KnownClaim::map) : Stream.of();
  }

  static Map<?, ?> map(@Nullable Object object) {
    return object instanceof Map<?, ?> map ? map : Map.of();
  }

  static String text(Map<?, ?> object, String name) {
    return String.valueOf(object.get(name));
  }

  /** A device of {@link #GPUS}, by the names that the driver gives it and its pool. */
  public record PooledDevice(String pool, String name) {}

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
