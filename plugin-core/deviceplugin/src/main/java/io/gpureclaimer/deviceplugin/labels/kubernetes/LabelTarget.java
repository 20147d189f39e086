package io.gpureclaimer.deviceplugin.labels.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.deviceplugin.publication.kubernetes.ApiObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of the API server that carries labels of a node. */
interface LabelTarget extends ApiObject {

  /** Its name. */
  String name();

  /** Where objects of its kind are. */
  NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      in(KubernetesClient client);

  /** All labels that it carries, ours and others'. */
  Map<String, String> labels(GenericKubernetesResource live);

  /** Where they are, as the object's record of owners spells the way. */
  List<String> way();

  /** What an apply of these labels, and of no other, sends. */
  GenericKubernetesResource manifest(
      Map<String, String> labels, @Nullable GenericKubernetesResource live);
}
