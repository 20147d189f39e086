package io.gpureclaimer.deviceplugin.runtime.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient
class LabelRemovalTest {
  private static final String FIRST = "/api/v1/nodes?limit=500";
  private static final String APPLY = "?fieldManager=gpu-reclaimer-labels";

  @SuppressWarnings("NullAway.Init")
  private KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init")
  private KubernetesClient client;

  @Test
  void removesTheLabelsOfEachNodeThatHasSome_onAllPages() {
    list(FIRST, "2", node("a", "gpu-reclaimer-labels"), node("b", "kubelet"));
    list("/api/v1/nodes?continue=2&limit=500", "", node("c", "gpu-reclaimer-labels"));
    for (String name : List.of("a", "c")) {
      answer("/api/v1/nodes/" + name, node(name, "gpu-reclaimer-labels"));
      server
          .expect()
          .patch()
          .withPath("/api/v1/nodes/" + name + APPLY)
          .andReturn(200, node(name, "kubelet").build())
          .once();
    }

    assertThat(LabelRemoval.run(client)).isEqualTo(new LabelRemoval(List.of("a", "c"), List.of()));
  }

  @Test
  void goesOn_whereOneNodeCannotBeWritten() {
    list(FIRST, "", node("a", "gpu-reclaimer-labels"), node("b", "gpu-reclaimer-labels"));
    answer("/api/v1/nodes/a", node("a", "gpu-reclaimer-labels"));
    server.expect().patch().withPath("/api/v1/nodes/a" + APPLY).andReturn(403, "no").once();
    answer("/api/v1/nodes/b", node("b", "gpu-reclaimer-labels"));
    server
        .expect()
        .patch()
        .withPath("/api/v1/nodes/b" + APPLY)
        .andReturn(200, node("b", "kubelet").build())
        .once();

    LabelRemoval removal = LabelRemoval.run(client);

    assertThat(removal.nodes()).containsExactly("b");
    assertThat(removal.problems()).singleElement().asString().startsWith("a: our account may not");
  }

  @Test
  void saysSo_whereNodesCannotBeListed() {
    server.expect().get().withPath(FIRST).andReturn(403, "no").once();

    LabelRemoval removal = LabelRemoval.run(client);

    assertThat(removal.nodes()).isEmpty();
    assertThat(removal.problems()).singleElement().asString().startsWith("cannot list Nodes: ");
  }

  private void list(String path, String next, NodeBuilder... nodes) {
    server
        .expect()
        .get()
        .withPath(path)
        .andReturn(
            200,
            new NodeListBuilder()
                .withNewMetadata()
                .withContinue(next)
                .endMetadata()
                .withItems(List.of(nodes).stream().map(NodeBuilder::build).toList())
                .build())
        .once();
  }

  private void answer(String path, NodeBuilder node) {
    server.expect().get().withPath(path).andReturn(200, node.build()).once();
  }

  private static NodeBuilder node(String name, String manager) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .withUid("uid-" + name)
        .withLabels(Map.of("nvidia.com/gpu.count", "8"))
        .addNewManagedField()
        .withManager(manager)
        .withOperation("Apply")
        .withFieldsType("FieldsV1")
        .withNewFieldsV1()
        .addToAdditionalProperties(
            "f:metadata", Map.of("f:labels", Map.of("f:nvidia.com/gpu.count", Map.of())))
        .endFieldsV1()
        .endManagedField()
        .endMetadata();
  }
}
