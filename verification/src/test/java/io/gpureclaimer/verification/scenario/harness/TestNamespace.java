package io.gpureclaimer.verification.scenario.harness;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.common.vocabulary.Annotations;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A namespace whose pods hold one GPU each, and all that happens to them. Confined to the thread of
 * the test.
 */
public final class TestNamespace {
  private static final Manifest POD = Manifest.beside(TestNamespace.class, "tenant.yaml");

  private final TestCluster cluster;
  private final String namespace;
  private final PodHistory history;

  private TestNamespace(TestCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.history = new PodHistory(cluster.client(), namespace);
  }

  /** A new one that asks for this mode. */
  public static TestNamespace withMode(TestCluster cluster, String mode) {
    return with(cluster, mode, Map.of(Annotations.MODE, mode));
  }

  /** A new one with these annotations on its namespace, whose name begins with the given one. */
  public static TestNamespace with(
      TestCluster cluster, String name, Map<String, String> annotations) {
    return new TestNamespace(cluster, cluster.namespace(name, annotations));
  }

  public String namespace() {
    return namespace;
  }

  public PodHistory history() {
    return history;
  }

  /** Starts a pod that asks for nothing special, and waits until it runs. */
  public Pod start(String pod) {
    return start(pod, Map.of());
  }

  /** Starts a pod with these annotations, and waits until it runs. */
  public Pod start(String pod, Map<String, String> annotations) {
    create(pod, annotations);
    return awaitReady(pod);
  }

  /** Creates a pod with these annotations, and does not wait. */
  public void create(String pod, Map<String, String> annotations) {
    String written =
        annotations.entrySet().stream()
            .map(annotation -> annotation.getKey() + ": \"" + annotation.getValue() + "\"")
            .collect(Collectors.joining(", "));
    cluster.apply(POD.with("namespace", namespace).with("name", pod).with("annotations", written));
  }

  /** Waits until a created pod runs. */
  public Pod awaitReady(String pod) {
    return cluster.awaitReady(namespace, pod);
  }

  /** The pod as it is now, if it is there. */
  public Optional<Pod> now(String pod) {
    return Optional.ofNullable(cluster.client().pods().inNamespace(namespace).withName(pod).get());
  }

  /** What the reclaimer has said about the pod, the oldest first. */
  public List<Event> notices(String pod) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(namespace)
        .withField("involvedObject.name", pod)
        .withField("source", "gpu-reclaimer")
        .list()
        .getItems()
        .stream()
        .sorted(
            Comparator.comparing(event -> Long.valueOf(event.getMetadata().getResourceVersion())))
        .toList();
  }
}
