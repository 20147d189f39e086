package io.gpureclaimer.verification.scenario.workloads;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The records of the actions in a namespace. */
final class Records {
  private Records() {}

  /** State and message of each record, by owner. */
  static Map<String, String> states(TestCluster cluster, String namespace) {
    Map<String, String> states = new HashMap<>();
    for (var record : records(cluster, namespace)) {
      GenericKubernetesResource found = record.get();
      states.put(
          String.valueOf(Optional.<Object>ofNullable(found.get("status", "workload")).orElse("")),
          found.get("status", "state") + ": " + found.get("status", "message"));
    }
    return states;
  }

  /** Asks for the restore of each owner, as people do. */
  static void askForRestore(TestCluster cluster, String namespace) {
    records(cluster, namespace)
        .forEach(record -> TestCluster.merge(record, "{\"spec\":{\"restore\":true}}"));
  }

  private static List<Resource<GenericKubernetesResource>> records(
      TestCluster cluster, String namespace) {
    var all =
        cluster.client().genericKubernetesResources(OwnedE2E.RECLAMATIONS).inNamespace(namespace);
    return all.list().getItems().stream().map(all::resource).toList();
  }
}
