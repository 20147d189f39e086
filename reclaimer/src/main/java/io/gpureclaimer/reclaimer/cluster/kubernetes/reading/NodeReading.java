package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.Node;
import io.gpureclaimer.core.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Taint;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Reads a Node. */
public final class NodeReading {
  private static final String PRODUCT = "nvidia.com/gpu.product";
  private static final String REPLICAS = "nvidia.com/gpu.replicas";
  private static final String SHARING = "nvidia.com/gpu.sharing-strategy";

  private NodeReading() {}

  /** The node, if it has GPUs to allocate. */
  public static Optional<GpuNode> ofGpuNode(Node node) {
    int gpus =
        node.getStatus() == null
            ? 0
            : GpuRequest.count(node.getStatus().getAllocatable(), ResourceNames.GPU);
    if (gpus == 0) {
      return Optional.empty();
    }
    Map<String, String> labels = Absent.asEmpty(node.getMetadata().getLabels());
    NodeView view =
        new NodeView(
            Objects.requireNonNull(node.getMetadata().getName(), "metadata.name"),
            gpus,
            labels,
            taints(node),
            accepting(node));
    return Optional.of(new GpuNode(view, shared(labels)));
  }

  /** GPU feature discovery's labels: time slicing, MPS, and MIG under its strategy "single". */
  private static boolean shared(Map<String, String> labels) {
    String product = labels.getOrDefault(PRODUCT, "");
    return product.endsWith("-SHARED")
        || product.contains("-MIG-")
        || !Set.of("", "0", "1").contains(labels.getOrDefault(REPLICAS, ""))
        || !Set.of("", "none").contains(labels.getOrDefault(SHARING, ""));
  }

  private static List<Taint> taints(Node node) {
    if (node.getSpec() == null) {
      return List.of();
    }
    return node.getSpec().getTaints().stream()
        .map(
            taint -> new Taint(taint.getKey(), Absent.asEmpty(taint.getValue()), taint.getEffect()))
        .toList();
  }

  private static boolean accepting(Node node) {
    boolean cordoned =
        node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    return !cordoned
        && node.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
  }
}
