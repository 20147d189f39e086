package io.gpureclaimer.reclaimer.cli;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What a command finds: a kubeconfig, and a cluster with nodes and namespaces. */
record CommandEnvironment(FakeApiServer api) {
  private static final Instant LONG_AGO = Instant.parse("2026-01-31T00:00:00Z");

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

  /** A ReplicaSet; returns how its pods refer to it. */
  OwnerReference addReplicaSet(String namespace, String name) {
    String uid =
        api.admin()
            .resource(
                new ReplicaSetBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName(name)
                    .endMetadata()
                    .build())
            .create()
            .getMetadata()
            .getUid();
    return new OwnerReferenceBuilder()
        .withApiVersion("apps/v1")
        .withKind("ReplicaSet")
        .withName(name)
        .withUid(uid)
        .withController(true)
        .build();
  }

  /** A pod that runs since long ago; returns its UID. */
  String addPod(String namespace, String name, String node, int gpus, List<OwnerReference> owners) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .withOwnerReferences(owners)
            .endMetadata()
            .withNewSpec()
            .withNodeName(node)
            .addNewContainer()
            .withName("main")
            .addNewPort()
            .withContainerPort(8000)
            .endPort()
            .withNewResources()
            .addToLimits("nvidia.com/gpu", new Quantity(Integer.toString(gpus)))
            .endResources()
            .endContainer()
            .endSpec()
            .withNewStatus()
            .withPhase("Running")
            .withConditions(
                new PodConditionBuilder()
                    .withType("Ready")
                    .withStatus("True")
                    .withLastTransitionTime(LONG_AGO.toString())
                    .build())
            .withContainerStatuses(
                new ContainerStatusBuilder()
                    .withName("main")
                    .withState(
                        new ContainerStateBuilder()
                            .withNewRunning()
                            .withStartedAt(LONG_AGO.toString())
                            .endRunning()
                            .build())
                    .build())
            .endStatus()
            .build();
    return api.admin().resource(pod).create().getMetadata().getUid();
  }
}
