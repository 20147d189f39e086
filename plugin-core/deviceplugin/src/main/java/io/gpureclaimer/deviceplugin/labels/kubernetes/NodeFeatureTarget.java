package io.gpureclaimer.deviceplugin.labels.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The object from which Node Feature Discovery's master takes labels for a node. */
record NodeFeatureTarget(String node, String namespace, List<FeatureOwner> owners)
    implements LabelTarget {
  private static final String GROUP = "nfd.k8s-sigs.io";
  private static final String VERSION = "v1alpha1";
  private static final String KIND = "NodeFeature";
  private static final String NODE_NAME = "nfd.node.kubernetes.io/node-name";
  private static final ResourceDefinitionContext NODE_FEATURES =
      new ResourceDefinitionContext.Builder()
          .withGroup(GROUP)
          .withVersion(VERSION)
          .withKind(KIND)
          .withPlural("nodefeatures")
          .withNamespaced(true)
          .build();

  NodeFeatureTarget {
    owners = List.copyOf(owners);
  }

  @Override
  public String name() {
    return "nvidia-features-for-" + node;
  }

  @Override
  public String describe() {
    return "the NodeFeature " + namespace + '/' + name();
  }

  @Override
  public String rule() {
    return "a Role in namespace "
        + namespace
        + " with apiGroups [\""
        + GROUP
        + "\"], resources [\"nodefeatures\"], verbs [\"get\", \"create\", \"patch\"]";
  }

  @Override
  public boolean mayBeCreated() {
    return true;
  }

  @Override
  public NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      in(KubernetesClient client) {
    return client.genericKubernetesResources(NODE_FEATURES).inNamespace(namespace);
  }

  /** Untyped, so that what is no label of text is none. */
  @Override
  public Map<String, String> labels(GenericKubernetesResource live) {
    var labels = new LinkedHashMap<String, String>();
    if (live.get("spec", "labels") instanceof Map<?, ?> found) {
      found.forEach((key, value) -> labels.put(String.valueOf(key), String.valueOf(value)));
    }
    return labels;
  }

  @Override
  public List<String> way() {
    return List.of("f:spec", "f:labels");
  }

  @Override
  public GenericKubernetesResource manifest(
      Map<String, String> labels, @Nullable GenericKubernetesResource live) {
    var manifest = new GenericKubernetesResource();
    manifest.setApiVersion(GROUP + '/' + VERSION);
    manifest.setKind(KIND);
    manifest.setMetadata(
        new ObjectMetaBuilder()
            .withName(name())
            .withNamespace(namespace)
            .addToLabels(NODE_NAME, node)
            .withOwnerReferences(
                owners.stream()
                    .map(
                        owner ->
                            new OwnerReferenceBuilder()
                                .withApiVersion(owner.apiVersion())
                                .withKind(owner.kind())
                                .withName(owner.name())
                                .withUid(owner.uid())
                                .build())
                    .toList())
            .build());
    manifest.setAdditionalProperty(
        "spec",
        Map.of(
            "features",
            Map.of("flags", Map.of(), "attributes", Map.of(), "instances", Map.of()),
            "labels",
            Map.copyOf(labels)));
    return manifest;
  }

  /**
   * An object of the same namespace with which a NodeFeature goes: usually our own pod.
   *
   * @param apiVersion such as {@code v1}
   * @param kind such as {@code Pod}
   * @param name of the object
   * @param uid of the object
   */
  public record FeatureOwner(String apiVersion, String kind, String name, String uid) {}
}
