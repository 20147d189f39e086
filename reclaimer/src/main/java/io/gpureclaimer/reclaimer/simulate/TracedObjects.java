package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.simulated.AutoscalerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.AutoscalerSpec.NodePool;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.Autoscaling.PoolSize;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes and pods of a trace as objects of a cluster. */
public final class TracedObjects {
  private TracedObjects() {}

  /** The nodes, with one label for each choice of models that a workload makes. */
  public static List<NodeSpec> nodes(WorkloadTrace trace) {
    List<Set<String>> choices =
        trace.workloads().stream()
            .map(TracedWorkload::models)
            .filter(models -> !models.isEmpty())
            .distinct()
            .toList();
    return trace.nodes().stream().map(node -> node(node, choices)).toList();
  }

  /** What the autoscaler of a trace may do; empty if it has none. */
  static Optional<AutoscalerSpec> autoscaler(WorkloadTrace trace, List<NodeSpec> nodes) {
    Map<String, NodeSpec> byName =
        nodes.stream().collect(Collectors.toMap(NodeSpec::name, node -> node));
    return trace
        .autoscaling()
        .map(
            scaling ->
                new AutoscalerSpec(
                    scaling.pools().entrySet().stream()
                        .map(
                            pool ->
                                pool(
                                    pool.getKey(),
                                    pool.getValue(),
                                    trace.nodesOf(pool.getKey()).stream()
                                        .map(member -> byName.get(member.name()))
                                        .toList()))
                        .toList(),
                    scaling.startup(),
                    scaling.idle()));
  }

  private static NodePool pool(String model, PoolSize size, List<NodeSpec> members) {
    NodeSpec first = members.getFirst();
    return new NodePool(
        new NodeSpec(
            "autoscaled-" + model.toLowerCase(Locale.ROOT),
            first.gpus(),
            first.labels(),
            first.taints(),
            first.compute()),
        members.stream().map(NodeSpec::name).collect(Collectors.toSet()),
        size.least(),
        size.most());
  }

  private static NodeSpec node(TracedNode node, List<Set<String>> choices) {
    return new NodeSpec(
        node.name(),
        IntStream.range(0, node.gpus())
            .mapToObj(gpu -> new GpuUuid("GPU-" + node.name() + "-" + gpu))
            .toList(),
        labels(node.model(), choices),
        List.of(),
        node.compute());
  }

  private static Map<String, String> labels(String model, List<Set<String>> choices) {
    Map<String, String> labels = new HashMap<>();
    labels.put(NodeView.PRODUCT, model);
    choices.stream()
        .filter(models -> models.contains(model))
        .forEach(models -> labels.put(labelOf(models), "true"));
    return labels;
  }

  /** A node of the cluster as one of a trace. */
  static TracedNode traced(NodeSpec node) {
    return new TracedNode(
        node.name(),
        node.labels().getOrDefault(NodeView.PRODUCT, ""),
        node.gpus().size(),
        node.compute());
  }

  /** The pods of a workload; several are of one group. */
  public static List<PodSpec> pods(TracedWorkload traced) {
    return IntStream.range(0, traced.podGpus().size())
        .mapToObj(index -> pod(traced, index))
        .map(pod -> traced.isGroup() ? pod.in(group(traced)) : pod)
        .toList();
  }

  /** The group of a workload with several pods. */
  static Group group(TracedWorkload traced) {
    return new Group("scheduling.x-k8s.io/pod-group", traced.name());
  }

  private static PodSpec pod(TracedWorkload traced, int index) {
    return PodSpec.bare(
            traced.namespace(), traced.name() + "-" + index, traced.podGpus().get(index))
        .withTraits(traced.kind().traits())
        .withPriority(traced.priority())
        .withRequests(traced.requests())
        .withPlacement(
            traced.models().isEmpty()
                ? Placement.ANYWHERE
                : new Placement(Map.of(labelOf(traced.models()), "true"), List.of(), false))
        .ownedBy(traced.kind().podOwner(traced.name()));
  }

  /** One label for each choice of models, because a selector cannot say "one of these". */
  private static String labelOf(Set<String> models) {
    return "model-is-" + String.join("-or-", new TreeSet<>(models));
  }
}
