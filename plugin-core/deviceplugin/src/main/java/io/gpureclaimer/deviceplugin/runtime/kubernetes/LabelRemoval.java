package io.gpureclaimer.deviceplugin.runtime.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.KubernetesConnection;
import io.gpureclaimer.common.kubernetes.NodeKind;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.labels.kubernetes.AppliedLabels;
import io.gpureclaimer.deviceplugin.publication.Published.Failed;
import io.gpureclaimer.deviceplugin.publication.Published.Same;
import io.gpureclaimer.deviceplugin.publication.Published.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removal of all labels that agents wrote to Nodes. Agents that still label nodes write them again.
 *
 * @param nodes the Nodes whose labels were removed
 * @param problems one line for each failure
 */
public record LabelRemoval(List<String> nodes, List<String> problems) {
  private static final long PAGE = 500;

  public LabelRemoval {
    nodes = List.copyOf(nodes);
    problems = List.copyOf(problems);
  }

  /**
   * Removes them.
   *
   * @throws io.gpureclaimer.common.kubernetes.ClusterNotConfigured if nothing says where the API
   *     server is
   */
  public static LabelRemoval run(ConnectionOptions options) {
    try (KubernetesClient client =
        KubernetesConnection.ofThisProcess()
            .open(OwnNode.AGENT, options, RegisteredKinds.REGISTERED)) {
      return run(client);
    }
  }

  static LabelRemoval run(KubernetesClient client) {
    var nodes = new ArrayList<String>();
    var problems = new ArrayList<String>();
    try {
      for (String node : labeled(client)) {
        switch (AppliedLabels.onNode(client, node, OwnNode.MANAGER, false)
            .publish(NodeLabels.NONE)) {
          case Written _ -> nodes.add(node);
          case Same _ -> {}
          case Failed(_, var text) -> problems.add(node + ": " + text);
        }
      }
    } catch (KubernetesClientException e) {
      problems.add("cannot list Nodes: " + e.getMessage());
    }
    return new LabelRemoval(nodes, problems);
  }

  /** The Nodes of which the agents own a field: there is none but labels. */
  private static List<String> labeled(KubernetesClient client) {
    var names = new ArrayList<String>();
    Optional<String> next = Optional.of("");
    while (next.isPresent()) {
      GenericKubernetesResourceList page =
          client
              .genericKubernetesResources(NodeKind.CONTEXT)
              .list(
                  new ListOptionsBuilder()
                      .withLimit(PAGE)
                      .withContinue(next.filter(token -> !token.isEmpty()).orElse(null))
                      .build());
      page.getItems().stream()
          .filter(LabelRemoval::isLabeled)
          .map(node -> node.getMetadata().getName())
          .forEach(names::add);
      next =
          Optional.ofNullable(page.getMetadata().getContinue()).filter(token -> !token.isEmpty());
    }
    return names;
  }

  private static boolean isLabeled(GenericKubernetesResource node) {
    return node.getMetadata().getManagedFields().stream()
        .anyMatch(entry -> OwnNode.MANAGER.equals(entry.getManager()));
  }
}
