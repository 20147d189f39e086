package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.reclaimer.action.OwnerKindsTest.possible;
import static io.gpureclaimer.reclaimer.action.OwnerKindsTest.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Graphs of Dynamo, whose services are scaled one by one. */
class DynamoGraphsTest {
  private static final String COMPONENT = "nvidia.com/dynamo-component";
  private static final Owner GRAPH =
      new Owner("nvidia.com/v1beta1", "DynamoGraphDeployment", "chat", "uid-of-chat");

  @Test
  void scalesEveryServiceWithGpus_andNoOther() {
    Workload workload = graph("decode", "prefill", "frontend");

    List<FieldChange> changes = possible(workload).changes(workload, Instant.EPOCH);

    assertThat(changes)
        .extracting(
            change -> change.object().name(), FieldChange::subresource, FieldChange::written)
        .containsExactly(
            tuple("chat-decode", "scale", Optional.of("0")),
            tuple("chat-prefill", "scale", Optional.of("0")));
  }

  @Test
  void isRefused_whenAServiceWithGpusHasNoAdapter() {
    assertThat(refused(graph("decode", "frontend")).reason())
        .isEqualTo(
            "no DynamoGraphDeploymentScalingAdapter.nvidia.com scales pod ml/prefill-0, so it would"
                + " keep its GPUs");
    assertThat(refused(graph("frontend")).code()).isEqualTo("part-would-remain");
  }

  @Test
  void isRefused_whenItHasNoAdapters() {
    assertThat(refused(graph()).reason())
        .startsWith("DynamoGraphDeployment/chat has no DynamoGraphDeploymentScalingAdapter");
  }

  /** A graph with GPUs in the services decode and prefill. */
  private static Workload graph(String... adapters) {
    Map<String, OwnerView> known = new HashMap<>();
    known.put(GRAPH.uid(), new OwnerView(GRAPH, "ml", Optional.empty(), Map.of()));
    for (String service : adapters) {
      var owner =
          new Owner(
              "nvidia.com/v1beta1",
              "DynamoGraphDeploymentScalingAdapter",
              "chat-" + service,
              "uid-of-" + service);
      var details =
          new OwnerDetails(
              "7",
              Optional.of("1"),
              Map.of(COMPONENT, service),
              Map.of("/spec/replicas", "1"),
              Map.of(),
              Optional.of(List.of()));
      known.put(
          owner.uid(),
          new OwnerView(owner, "ml", Optional.of(GRAPH), Map.of(), Optional.of(details)));
    }
    return Workloads.of(Stream.of("decode", "prefill").map(DynamoGraphsTest::pod).toList(), known);
  }

  private static PodView pod(String service) {
    return PodDraft.pod(service + "-0")
        .owner(GRAPH)
        .traits(new PodTraits(Map.of(COMPONENT, service), false, List.of(), Optional.empty()))
        .draw();
  }
}
