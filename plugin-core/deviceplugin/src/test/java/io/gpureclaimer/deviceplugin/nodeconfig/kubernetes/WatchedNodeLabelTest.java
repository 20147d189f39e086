package io.gpureclaimer.deviceplugin.nodeconfig.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource.NodeLabel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchedNodeLabelTest {
  private static final String KEY = "nvidia.com/device-plugin.config";

  private final FakeApiServer server = new FakeApiServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void followsTheLabel() {
    node("a");
    try (var client = FakeApiServer.connect(server.address(), RegisteredKinds.REGISTERED);
        var label = WatchedNodeLabel.start(client, "node-a", KEY)) {
      await().untilAsserted(() -> assertThat(label.now()).isEqualTo(new NodeLabel.Value("a")));

      server
          .admin()
          .nodes()
          .withName("node-a")
          .edit(
              it -> new NodeBuilder(it).editMetadata().removeFromLabels(KEY).endMetadata().build());

      await().untilAsserted(() -> assertThat(label.now()).isEqualTo(new NodeLabel.Absent()));
    }
  }

  @Test
  void keepsWhatItKnows_whenTheServerGoesAway() {
    node("a");
    try (var client = FakeApiServer.connect(server.address(), RegisteredKinds.REGISTERED);
        var label = WatchedNodeLabel.start(client, "node-a", KEY)) {
      await().untilAsserted(() -> assertThat(label.now()).isEqualTo(new NodeLabel.Value("a")));

      server.cutOff();

      assertThat(label.now()).isEqualTo(new NodeLabel.Value("a"));
    }
  }

  @Test
  void knowsNothing_whenThereIsNoSuchNode() {
    try (var client = FakeApiServer.connect(server.address(), RegisteredKinds.REGISTERED);
        var label = WatchedNodeLabel.start(client, "node-a", KEY)) {
      await()
          .untilAsserted(
              () ->
                  assertThat(label.now())
                      .isEqualTo(new NodeLabel.Unknown("there is no Node node-a")));
    }
  }

  @Test
  void namesTheRule_whenItIsForbidden() {
    server.force(
        "GET",
        "/api/v1/nodes?fieldSelector=metadata.name%3Dnode-a&resourceVersion=0",
        403,
        "nodes is forbidden");
    try (var client = FakeApiServer.connect(server.address(), RegisteredKinds.REGISTERED);
        var label = WatchedNodeLabel.start(client, "node-a", KEY)) {
      await()
          .untilAsserted(
              () ->
                  assertThat(label.now())
                      .isEqualTo(
                          new NodeLabel.Unknown(
                              "our account may not watch Nodes; it needs a ClusterRole with"
                                  + " apiGroups [\"\"], resources [\"nodes\"], verbs [\"get\","
                                  + " \"list\", \"watch\"] (nodes is forbidden)")));
    }
  }

  private void node(String config) {
    server
        .admin()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("node-a")
                .addToLabels(KEY, config)
                .endMetadata()
                .build())
        .create();
  }
}
