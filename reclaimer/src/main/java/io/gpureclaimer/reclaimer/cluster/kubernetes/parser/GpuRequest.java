package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The accelerators that a pod's specification asks for; what its own claims give is not in it. */
final class GpuRequest {
  private final AcceleratorNames names;
  private final PodSpec spec;

  private GpuRequest(AcceleratorNames names, PodSpec spec) {
    this.names = names;
    this.spec = spec;
  }

  static Accelerators of(PodSpec spec, AcceleratorNames names) {
    return new GpuRequest(names, spec).read();
  }

  /**
   * The same, and which of them the scheduler gave the pod by a claim that it made itself, because
   * the node has no device plugin for them. The status of a pod without a node may be of an earlier
   * attempt.
   */
  static Accelerators of(Pod pod, AcceleratorNames names) {
    Accelerators requested = of(pod.getSpec(), names);
    var byClaim = new GpuRequest(names, pod.getSpec());
    Map<String, Integer> given =
        givenByClaim(pod).stream()
            .filter(GpuRequest::isServable)
            .collect(Collectors.toUnmodifiableMap(Function.identity(), byClaim::taken));
    return given.isEmpty() ? requested : requested.and(Claimed.NOTHING, given);
  }

  /** Names of the resources that the scheduler gave a placed pod by a claim that it made itself. */
  static Set<String> givenByClaim(Pod pod) {
    String node = pod.getSpec().getNodeName();
    if (node == null
        || node.isEmpty()
        || pod.getStatus() == null
        || pod.getStatus().getExtendedResourceClaimStatus() == null) {
      return Set.of();
    }
    return pod.getStatus().getExtendedResourceClaimStatus().getRequestMappings().stream()
        .map(ContainerExtendedResourceRequest::getResourceName)
        .filter(Objects::nonNull)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether pending pods are served by this name. */
  private static boolean isServable(String resource) {
    return resource.equals(ResourceNames.GPU) || AcceleratorNames.profile(resource).isPresent();
  }

  private int taken(String resource) {
    return (int) ResourceRequests.taken(spec, container -> count(container, resource));
  }

  private Accelerators read() {
    int gpus = 0;
    boolean others = false;
    Map<String, Integer> replicas = new HashMap<>();
    Map<String, Integer> slices = new HashMap<>();
    Set<String> several = new HashSet<>();
    for (String resource : resources()) {
      int count = taken(resource);
      Optional<String> profile = AcceleratorNames.profile(resource);
      if (names.isGpu(resource)) {
        gpus += count;
        several.addAll(isSeveral(resource) ? Set.of(ResourceNames.GPU) : Set.of());
      } else if (profile.isPresent() && count > 0) {
        slices.put(profile.get(), count);
      } else if (names.isReplicas(resource) && count > 0) {
        replicas.put(resource, count);
        several.addAll(isSeveral(resource) ? Set.of(resource) : Set.of());
      } else {
        others |= count > 0 && names.isOther(resource);
      }
    }
    return new Accelerators(gpus, slices, others).sharing(replicas).withSeveral(several);
  }

  /** Device plugins are asked for each container of its own. */
  private boolean isSeveral(String resource) {
    return Stream.of(spec.getInitContainers(), spec.getContainers())
        .flatMap(List::stream)
        .anyMatch(container -> count(container, resource) > 1);
  }

  private Set<String> resources() {
    return required()
        .flatMap(required -> Stream.of(required.getLimits(), required.getRequests()))
        .flatMap(quantities -> quantities == null ? Stream.of() : quantities.keySet().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private Stream<ResourceRequirements> required() {
    return Stream.of(spec.getInitContainers(), spec.getContainers())
        .flatMap(List::stream)
        .flatMap(container -> Stream.ofNullable(container.getResources()));
  }

  private static int count(Container container, String resource) {
    ResourceRequirements required = container.getResources();
    if (required == null) {
      return 0;
    }
    int limit = count(required.getLimits(), resource);
    return limit > 0 ? limit : count(required.getRequests(), resource);
  }

  /** A whole number: the API server accepts no fraction of an extended resource. */
  static int count(@Nullable Map<String, Quantity> resources, String name) {
    Quantity quantity = resources == null ? null : resources.get(name);
    if (quantity == null || quantity.getAmount() == null) {
      return 0;
    }
    return quantity.getNumericalAmount().setScale(0, RoundingMode.CEILING).intValue();
  }
}
