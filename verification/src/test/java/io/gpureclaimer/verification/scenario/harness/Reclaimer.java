package io.gpureclaimer.verification.scenario.harness;

import io.fabric8.kubernetes.api.model.Pod;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The reclaimer as people install it: the shipped manifests, with another Prometheus and without
 * the hours.
 */
public final class Reclaimer {
  private static final String NAMESPACE = "gpu-reclaimer";
  private static final String NAME = "gpu-reclaimer";
  private static final int PORT = 8080;
  private static final long START_SECONDS = 90;
  private static final String PROMETHEUS = "value: \"http://prometheus-operated.monitoring:9090\"";

  /** What the annotations of a scenario may ask for, and how often is looked. */
  private static final Map<String, String> PACE =
      Map.ofEntries(
          Map.entry("GPU_RECLAIMER_STARTUP_GRACE", "0s"),
          Map.entry("GPU_RECLAIMER_SIGNALS", "none"),
          Map.entry("GPU_RECLAIMER_SETTLE_AFTER_START", "0s"),
          Map.entry("GPU_RECLAIMER_MIN_COVERAGE", "0"),
          Map.entry("GPU_RECLAIMER_MAX_IDLE_JUMP", "1"),
          Map.entry("GPU_RECLAIMER_MAX_EVICTIONS_PER_HOUR", "1000000"),
          Map.entry("GPU_RECLAIMER_MAX_NAMESPACE_EVICTIONS_PER_HOUR", "1000000"),
          Map.entry("GPU_RECLAIMER_MAX_OWNER_EVICTIONS_PER_DAY", "1000000"),
          Map.entry("GPU_RECLAIMER_MAX_GPU_SHARE_PER_HOUR", "1"),
          Map.entry("GPU_RECLAIMER_INTERVAL", "1s"),
          Map.entry("GPU_RECLAIMER_MIN_IDLE_AFTER", "1s"),
          Map.entry("GPU_RECLAIMER_MIN_WARN_BEFORE", "1s"),
          Map.entry("GPU_RECLAIMER_PENDING_GRACE", "1s"));

  private final TestCluster cluster;

  private Reclaimer(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Applies what is shipped. */
  public static Reclaimer apply(TestCluster cluster, URI prometheus) {
    cluster.apply(Manifest.shipped("00-namespaces.yaml"));
    cluster.applyKept(Manifest.shipped("00-reclamations.yaml"));
    cluster.apply(Manifest.shipped("reclaimer-rbac.yaml"));
    cluster.apply(Manifest.shipped("reclaimer-verbs.yaml"));
    cluster.apply(Manifest.shipped("reclaimer-owners.yaml"));
    String environment =
        PACE.entrySet().stream()
            .map(entry -> "\n- name: " + entry.getKey() + "\n  value: " + entry.getValue())
            .collect(Collectors.joining())
            .replace("\n", "\n            ");
    cluster.apply(
        Manifest.shipped("reclaimer.yaml")
            .replacing(PROMETHEUS, "value: " + prometheus + environment));
    return new Reclaimer(cluster);
  }

  /** Waits until both replicas have finished a cycle. */
  public void awaitReady() {
    cluster
        .client()
        .apps()
        .deployments()
        .inNamespace(NAMESPACE)
        .withName(NAME)
        .waitUntilReady(START_SECONDS, TimeUnit.SECONDS);
  }

  /** The replicas. */
  public List<Pod> replicas() {
    return cluster
        .client()
        .pods()
        .inNamespace(NAMESPACE)
        .withLabel("app.kubernetes.io/name", NAME)
        .list()
        .getItems();
  }

  /** What each replica answers at a path; nothing from one that does not know it. */
  public List<String> answers(String path) {
    return replicas().stream().flatMap(replica -> answer(replica, path).stream()).toList();
  }

  /** What each replica has logged. */
  public List<String> logs() {
    return replicas().stream()
        .map(replica -> cluster.client().pods().resource(replica).getLog())
        .toList();
  }

  private Optional<String> answer(Pod replica, String path) {
    return new PodProxy(cluster.client(), NAMESPACE, replica.getMetadata().getName(), PORT)
        .get(path);
  }
}
