package io.gpureclaimer.reclaimer.cli;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What a command finds: a kubeconfig, and a cluster with nodes and namespaces. */
record CommandEnvironment(FakeApiServer api) {

  /** The file that leads to the API server. */
  Path kubeconfig(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: here, cluster: {server: "%s"}}]
        contexts: [{name: here, context: {cluster: here, user: me}}]
        users: [{name: me, user: {}}]
        current-context: here
        """
            .replace("%s", api.address().toString()));
  }

  /** A node with eight GPUs. */
  void addNode(String name) {
    api.admin()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .withAllocatable(Map.of("nvidia.com/gpu", new Quantity("8")))
                .withConditions(
                    new NodeConditionBuilder().withType("Ready").withStatus("True").build())
                .endStatus()
                .build())
        .create();
  }

  void addNamespace(String name, Map<String, String> annotations) {
    api.admin()
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withAnnotations(annotations)
                .endMetadata()
                .build())
        .create();
  }
}
