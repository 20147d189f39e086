package io.gpureclaimer.verification.scenario.harness;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What tests that were interrupted left on the cluster, known by a label. */
final class Leftovers {
  static final String LABEL = "gpu-reclaimer.io/scenario";
  static final String VALUE = "yes";

  private static final Duration REMOVAL = Duration.ofMinutes(1);
  private static final String RESOURCES = "resource.k8s.io/v1";
  private static final String DEVICE_CLASS = "DeviceClass";

  private Leftovers() {}

  /** Labels a thing that is not on the cluster yet. */
  static void mark(HasMetadata thing) {
    var labels =
        new HashMap<>(Optional.ofNullable(thing.getMetadata().getLabels()).orElseGet(HashMap::new));
    labels.put(LABEL, VALUE);
    thing.getMetadata().setLabels(labels);
  }

  /** Removes all of them; what is in a namespace goes with it. */
  static void remove(KubernetesClient client) {
    List<HasMetadata> found = find(client).toList();
    found.forEach(thing -> client.resource(thing).withGracePeriod(0).delete());
    await("what an earlier run left is gone")
        .atMost(REMOVAL)
        .until(() -> find(client).findAny().isEmpty());
  }

  private static Stream<HasMetadata> find(KubernetesClient client) {
    return Stream.of(
            client.namespaces().withLabel(LABEL).list().getItems(),
            client.rbac().clusterRoles().withLabel(LABEL).list().getItems(),
            client.rbac().clusterRoleBindings().withLabel(LABEL).list().getItems(),
            deviceClasses(client))
        .flatMap(List::stream);
  }

  private static List<GenericKubernetesResource> deviceClasses(KubernetesClient client) {
    return client.supports(RESOURCES, DEVICE_CLASS)
        ? client
            .genericKubernetesResources(RESOURCES, DEVICE_CLASS)
            .withLabel(LABEL)
            .list()
            .getItems()
        : List.of();
  }
}
