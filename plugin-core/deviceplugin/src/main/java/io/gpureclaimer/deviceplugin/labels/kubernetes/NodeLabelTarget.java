package io.gpureclaimer.deviceplugin.labels.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.common.kubernetes.NodeKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The Node itself. It is never created: an apply is tied to the one that was read. */
record NodeLabelTarget(String node) implements LabelTarget {
  @Override
  public String describe() {
    return "the Node " + node;
  }

  @Override
  public String rule() {
    return "a ClusterRole with apiGroups [\"\"], resources [\"nodes\"], verbs [\"get\", \"patch\"]";
  }

  @Override
  public boolean mayBeCreated() {
    return false;
  }

  @Override
  public String name() {
    return node;
  }

  @Override
  public NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      in(KubernetesClient client) {
    return client.genericKubernetesResources(NodeKind.CONTEXT);
  }

  @Override
  public Map<String, String> labels(GenericKubernetesResource live) {
    return Optional.ofNullable(live.getMetadata().getLabels()).orElse(Map.of());
  }

  @Override
  public List<String> way() {
    return List.of("f:metadata", "f:labels");
  }

  @Override
  public GenericKubernetesResource manifest(
      Map<String, String> labels, @Nullable GenericKubernetesResource live) {
    var metadata = new ObjectMetaBuilder().withName(node).withLabels(labels);
    if (live != null) {
      metadata.withUid(live.getMetadata().getUid());
    }
    var manifest = new GenericKubernetesResource();
    manifest.setApiVersion("v1");
    manifest.setKind("Node");
    manifest.setMetadata(metadata.build());
    return manifest;
  }
}
