package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
