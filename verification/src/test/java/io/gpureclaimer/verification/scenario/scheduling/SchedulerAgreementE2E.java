package io.gpureclaimer.verification.scenario.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.cluster.simulated.PodListener;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.simulate.TracedObjects;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scheduler of the simulation beside kube-scheduler: all pods of a trace arrive in order and
 * stay. Nodes are objects without a kubelet.
 */
@OnCluster
class SchedulerAgreementE2E {
  private static final int NODES = 150;
  private static final double REQUIRED = 0.99;

  /** So much may the simulation differ more from kube-scheduler than two runs of that do. */
  private static final double MARGIN = 0.03;

  private static final int DEFAULT_PARALLELISM = 16;

  private final WorkloadTrace trace = ListedTrace.read(NODES);
  private final Map<String, String> classes =
      trace.nodes().stream()
          .collect(Collectors.toMap(TracedNode::name, SchedulerAgreementE2E::classOf));

  /** With one search at a time, kube-scheduler finds the nodes in the same order in each run. */
  @Test
  void bindsPodsToTheSameClassOfNodes(TestCluster cluster) {
    var real = new RealPlacements(cluster, OwnCluster.orSkip());

    PlacementComparison comparison =
        compare("kube-scheduler -> simulation", real.place(trace, 1), simulated(real));

    assertThat(comparison.agreement()).as(comparison.text()).isGreaterThanOrEqualTo(REQUIRED);
  }

  /** With its default of 16, which nodes it finds first is left to chance. */
  @Test
  @Tag("nightly")
  void differsFromParallelSearchesAsTheseDoFromEachOther(TestCluster cluster) {
    var real = new RealPlacements(cluster, OwnCluster.orSkip());
    Map<String, Optional<String>> first = real.place(trace, DEFAULT_PARALLELISM);
    Map<String, Optional<String>> second = real.place(trace, DEFAULT_PARALLELISM);

    PlacementComparison itself =
        compare("parallel kube-scheduler -> parallel kube-scheduler", first, second);
    PlacementComparison comparison =
        compare("parallel kube-scheduler -> simulation", first, simulated(real));

    assertThat(comparison.agreement())
        .as(itself.text() + comparison.text())
        .isGreaterThanOrEqualTo(itself.agreement() - MARGIN);
    assertThat((double) comparison.pendingInOneOnly() / comparison.pods())
        .isLessThanOrEqualTo(1 - REQUIRED);
  }

  private PlacementComparison compare(
      String name, Map<String, Optional<String>> expected, Map<String, Optional<String>> found) {
    var comparison =
        PlacementComparison.of(name, trace.nodes().size(), classed(expected), classed(found));
    System.out.print(comparison.text());
    comparison.write(
        Path.of("target/scenarios/scheduler-agreement")
            .resolve(name.replaceAll("\\W+", "-") + ".json"));
    return comparison;
  }

  private Map<String, Optional<String>> classed(Map<String, Optional<String>> nodes) {
    Function<String, String> classOf = node -> classes.getOrDefault(node, node);
    Map<String, Optional<String>> classed = new LinkedHashMap<>();
    nodes.forEach((pod, node) -> classed.put(pod, node.map(classOf)));
    return classed;
  }

  private static String classOf(TracedNode node) {
    return String.format(
        Locale.ROOT,
        "%d x %s, %s cores, %s GiB",
        node.gpus(),
        node.model(),
        node.compute().map(all -> all.cpuMillis() / 1_000).orElseThrow(),
        node.compute().map(all -> all.memoryBytes() >> 30).orElseThrow());
  }

  /** The node of each pod in the simulated cluster, in which other nodes have no GPUs. */
  private Map<String, Optional<String>> simulated(RealPlacements real) {
    Map<GpuUuid, String> nodeOf = new HashMap<>();
    Map<String, Optional<String>> placed = new LinkedHashMap<>();
    var cluster =
        new SimulatedCluster(
            Clock.systemUTC(),
            new PodListener() {
              @Override
              public void onCreated(PodRef pod, PodSpec spec) {
                placed.put(pod.name(), Optional.empty());
              }

              @Override
              public void onBound(PodRef pod, PodSpec spec, List<GpuUuid> devices) {
                placed.put(pod.name(), Optional.ofNullable(nodeOf.get(devices.getFirst())));
              }

              @Override
              public void onTerminating(PodRef pod, PodSpec spec) {}

              @Override
              public void onGone(PodRef pod, PodSpec spec) {}
            });
    for (NodeSpec node : TracedObjects.nodes(trace)) {
      node.gpus().forEach(device -> nodeOf.put(device, node.name()));
      cluster.addNode(node);
    }
    for (String other : real.otherNodes()) {
      cluster.addNode(
          new NodeSpec(other, List.of(), Map.of(), List.of(), Optional.of(ComputeResources.NONE)));
    }
    trace.workloads().stream()
        .map(WorkloadTrace.TracedWorkload::namespace)
        .distinct()
        .forEach(namespace -> cluster.addNamespace(namespace, Map.of()));
    trace
        .workloads()
        .forEach(
            workload -> {
              TracedObjects.pods(workload).forEach(cluster::submit);
              cluster.tick();
            });
    return placed;
  }
}
