package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpureclaimer.core.vocabulary.ResourceNames;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The accelerators that a pod's specification asks for.
 *
 * <p>Counted as the scheduler counts: containers and sidecars run together; each init container
 * runs alone beside the sidecars that were started before it; the larger sum is what the pod takes.
 *
 * @param whole whole GPUs
 * @param other whether it also asks for shares, slices, claims or another vendor's accelerators
 */
public record GpuRequest(int whole, boolean other) {

  public static GpuRequest of(PodSpec spec) {
    return new GpuRequest(whole(spec), other(spec));
  }

  private static int whole(PodSpec spec) {
    int sidecars = 0;
    int peakOfStart = 0;
    for (Container init : spec.getInitContainers()) {
      if ("Always".equals(init.getRestartPolicy())) {
        sidecars += wholeGpus(init);
        peakOfStart = Math.max(peakOfStart, sidecars);
      } else {
        peakOfStart = Math.max(peakOfStart, sidecars + wholeGpus(init));
      }
    }
    int running = spec.getContainers().stream().mapToInt(GpuRequest::wholeGpus).sum() + sidecars;
    return Math.max(running, peakOfStart);
  }

  private static boolean other(PodSpec spec) {
    return !spec.getResourceClaims().isEmpty()
        || Stream.of(spec.getInitContainers(), spec.getContainers())
            .flatMap(List::stream)
            .anyMatch(GpuRequest::asksForOther);
  }

  private static int wholeGpus(Container container) {
    ResourceRequirements resources = container.getResources();
    if (resources == null) {
      return 0;
    }
    int limit = count(resources.getLimits(), ResourceNames.GPU);
    return limit > 0 ? limit : count(resources.getRequests(), ResourceNames.GPU);
  }

  private static boolean asksForOther(Container container) {
    ResourceRequirements resources = container.getResources();
    return resources != null
        && (!resources.getClaims().isEmpty()
            || asksForOther(resources.getLimits())
            || asksForOther(resources.getRequests()));
  }

  private static boolean asksForOther(Map<String, Quantity> resources) {
    return resources != null
        && resources.keySet().stream()
            .anyMatch(name -> AcceleratorNames.isOther(name) && count(resources, name) > 0);
  }

  /** A whole number: the API server accepts no fraction of an extended resource. */
  static int count(Map<String, Quantity> resources, String name) {
    Quantity quantity = resources == null ? null : resources.get(name);
    if (quantity == null || quantity.getAmount() == null) {
      return 0;
    }
    return quantity.getNumericalAmount().setScale(0, RoundingMode.CEILING).intValue();
  }
}
