package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the scheduler reserves for a pod on its node, beside accelerators, and what a node has. */
final class ResourceRequests {
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

  /** As nodes call how many pods they can run. */
  private static final String PODS = "pods";

  private ResourceRequests() {}

  /**
   * Amounts by resource name, in thousandths, the pod itself included. What is requested of the
   * whole pod comes first, with what the kubelet reports of the whole pod. What a claim gave is not
   * among it, because the node's {@code allocatable} does not have it.
   */
  static Map<String, Long> of(Pod pod) {
    PodSpec spec = pod.getSpec();
    Map<String, ContainerStatus> statuses = statuses(pod);
    boolean isInfeasible = isResizeInfeasible(pod);
    Map<String, Quantity> ofPod = requests(spec.getResources());
    Optional<ReportedResources> given = ReportedResources.of(pod.getStatus());
    Map<String, Quantity> overhead = orEmpty(spec.getOverhead());
    Map<String, Long> all = new HashMap<>();
    all.put(PODS, 1000L);
    Set<String> names = names(spec, ofPod, overhead);
    names.removeAll(GpuRequest.givenByClaim(pod));
    for (String name : names) {
      long containers =
          taken(
              spec,
              container ->
                  amount(
                      requests(container.getResources()),
                      ReportedResources.of(statuses.get(container.getName())),
                      isInfeasible,
                      name));
      long requested =
          ofPod.containsKey(name) ? amount(ofPod, given, isInfeasible, name) : containers;
      if (requested + amount(overhead, name) > 0) {
        all.put(name.intern(), requested + amount(overhead, name));
      }
    }
    return Map.copyOf(all);
  }

  /** What a node can allocate beside accelerators, by resource name, in thousandths. */
  static Map<String, Long> amounts(@Nullable Map<String, Quantity> allocatable) {
    Map<String, Long> amounts = new HashMap<>();
    for (String name : orEmpty(allocatable).keySet()) {
      long amount = amount(orEmpty(allocatable), name);
      if (!isAccelerator(name) && amount > 0) {
        amounts.put(name.intern(), amount);
      }
    }
    return Map.copyOf(amounts);
  }

  /**
   * As the scheduler counts, each resource by itself: containers and sidecars run together; each
   * init container runs alone beside the sidecars that were started before it; the larger sum is
   * what the pod takes.
   */
  static long taken(PodSpec spec, ToLongFunction<Container> count) {
    long sidecars = 0;
    long peakOfStart = 0;
    for (Container init : spec.getInitContainers()) {
      if (isSidecar(init)) {
        sidecars += count.applyAsLong(init);
        peakOfStart = Math.max(peakOfStart, sidecars);
      } else {
        peakOfStart = Math.max(peakOfStart, sidecars + count.applyAsLong(init));
      }
    }
    long running = spec.getContainers().stream().mapToLong(count).sum();
    return Math.max(running + sidecars, peakOfStart);
  }

  /** Of containers and sidecars, which can be resized while they run. */
  private static Map<String, ContainerStatus> statuses(Pod pod) {
    Map<String, ContainerStatus> statuses = new HashMap<>();
    if (pod.getStatus() != null) {
      pod.getStatus().getContainerStatuses().forEach(each -> statuses.put(each.getName(), each));
      Set<String> sidecars = new HashSet<>();
      pod.getSpec().getInitContainers().stream()
          .filter(ResourceRequests::isSidecar)
          .forEach(each -> sidecars.add(each.getName()));
      pod.getStatus().getInitContainerStatuses().stream()
          .filter(each -> sidecars.contains(each.getName()))
          .forEach(each -> statuses.put(each.getName(), each));
    }
    return statuses;
  }

  private static boolean isSidecar(Container init) {
    return "Always".equals(init.getRestartPolicy());
  }

  /** Whether the kubelet refused for good what the specification requests now. */
  private static boolean isResizeInfeasible(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    "PodResizePending".equals(condition.getType())
                        && "Infeasible".equals(condition.getReason()));
  }

  /** The most of what a container or pod requests, was promised, and has: it may be resized. */
  private static long amount(
      Map<String, Quantity> requests,
      Optional<ReportedResources> given,
      boolean isInfeasible,
      String name) {
    long requested = amount(requests, name);
    long most = given.map(each -> each.most(name)).orElse(0L);
    return isInfeasible && most > 0 ? most : Math.max(requested, most);
  }

  /**
   * What the kubelet reports of a container, or of a whole pod.
   *
   * @param actual what it has
   * @param allocated what it was promised
   */
  private record ReportedResources(Map<String, Quantity> actual, Map<String, Quantity> allocated) {
    static Optional<ReportedResources> of(@Nullable ContainerStatus status) {
      return status == null
          ? Optional.empty()
          : of(status.getResources(), status.getAllocatedResources());
    }

    static Optional<ReportedResources> of(@Nullable PodStatus status) {
      return status == null
          ? Optional.empty()
          : of(status.getResources(), status.getAllocatedResources());
    }

    /** As for the scheduler, a promise counts only with a report of what there is. */
    private static Optional<ReportedResources> of(
        @Nullable ResourceRequirements actual, @Nullable Map<String, Quantity> allocated) {
      return Optional.ofNullable(actual)
          .map(has -> new ReportedResources(requests(has), orEmpty(allocated)));
    }

    long most(String name) {
      return Math.max(amount(actual, name), amount(allocated, name));
    }
  }

  private static Set<String> names(
      PodSpec spec, Map<String, Quantity> ofPod, Map<String, Quantity> overhead) {
    Set<String> names = new HashSet<>(ofPod.keySet());
    names.addAll(overhead.keySet());
    Stream.of(spec.getInitContainers(), spec.getContainers())
        .flatMap(List::stream)
        .forEach(container -> names.addAll(requests(container.getResources()).keySet()));
    names.removeIf(ResourceRequests::isAccelerator);
    return names;
  }

  /** Other resources of NVIDIA, such as network devices, and renamed GPUs are counted like CPU. */
  private static boolean isAccelerator(String name) {
    return name.startsWith(ResourceNames.PREFIX)
        && (AcceleratorNames.USUAL.counted(name).isPresent()
            || AcceleratorNames.USUAL.isOther(name));
  }

  private static Map<String, Quantity> requests(@Nullable ResourceRequirements required) {
    return required == null ? Map.of() : orEmpty(required.getRequests());
  }

  private static Map<String, Quantity> orEmpty(@Nullable Map<String, Quantity> amounts) {
    return amounts == null ? Map.of() : amounts;
  }

  private static long amount(Map<String, Quantity> amounts, String name) {
    Quantity quantity = amounts.get(name);
    return quantity == null || quantity.getAmount() == null
        ? 0
        : quantity
            .getNumericalAmount()
            .multiply(THOUSAND)
            .setScale(0, RoundingMode.CEILING)
            .longValue();
  }
}
