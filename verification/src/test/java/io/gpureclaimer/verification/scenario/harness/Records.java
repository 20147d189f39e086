package io.gpureclaimer.verification.scenario.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The records of the actions in a namespace. */
public final class Records {
  private static final ResourceDefinitionContext RECLAMATIONS =
      new ResourceDefinitionContext.Builder()
          .withGroup("gpu-reclaimer.io")
          .withVersion("v1alpha1")
          .withKind("Reclamation")
          .withPlural("reclamations")
          .withNamespaced(true)
          .build();

  private Records() {}

  /** Waits until there are so many records, all of them in this state. */
  public static void awaitStates(
      TestCluster cluster, String namespace, int count, String state, Duration limit) {
    await(count + " records are " + state)
        .atMost(limit)
        .untilAsserted(
            () ->
                assertThat(list(cluster, namespace))
                    .hasSize(count)
                    .allSatisfy(
                        record ->
                            assertThat(record.<String>get("status", "state"))
                                .as(String.valueOf(record.<String>get("status", "message")))
                                .isEqualTo(state)));
  }

  /** The records as they are now. */
  public static List<GenericKubernetesResource> list(TestCluster cluster, String namespace) {
    return of(cluster, namespace).list().getItems();
  }

  /** State and message of each record, by owner. */
  public static Map<String, String> states(TestCluster cluster, String namespace) {
    Map<String, String> states = new HashMap<>();
    for (GenericKubernetesResource record : list(cluster, namespace)) {
      states.put(
          String.valueOf(Optional.<Object>ofNullable(record.get("status", "workload")).orElse("")),
          record.get("status", "state") + ": " + record.get("status", "message"));
    }
    return states;
  }

  /** Asks for the restore of each owner, as people do. */
  public static void askForRestore(TestCluster cluster, String namespace) {
    var all = of(cluster, namespace);
    list(cluster, namespace)
        .forEach(
            record -> TestCluster.merge(all.resource(record), "{\"spec\":{\"restore\":true}}"));
  }

  private static NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      of(TestCluster cluster, String namespace) {
    return cluster.client().genericKubernetesResources(RECLAMATIONS).inNamespace(namespace);
  }
}
