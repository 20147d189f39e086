package io.gpureclaimer.verification.scenario.claims;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A driver of dynamic resource allocation on the node, made with Kubernetes' own library: the
 * kubelet and the scheduler cannot distinguish it from one with hardware. Confined to the thread of
 * the test.
 */
final class DraDriver {
  static final String GPUS = "gpu.nvidia.com";

  /** The kubelet waits half a minute before it removes the slices of a driver that is gone. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final TestCluster cluster;
  private final String name;
  private final String namespace;
  private final Manifest manifest;

  private DraDriver(TestCluster cluster, String name, Manifest slices) {
    this.cluster = cluster;
    this.name = name;
    this.namespace = cluster.namespace("dra-driver", Map.of());
    this.manifest =
        Manifest.beside(DraDriver.class, "driver.yaml")
            .with("namespace", namespace)
            .with("node", cluster.node())
            .with("driver", name)
            .with("slices", slices.text().replace("\n", "\n    "));
  }

  /**
   * Starts one, and waits until all that it has is published.
   *
   * @param slices as the API has them in {@code spec}
   */
  static DraDriver start(TestCluster cluster, String name, Manifest slices) {
    var driver = new DraDriver(cluster, name, slices);
    driver.start();
    return driver;
  }

  /** Restarts it. */
  void start() {
    cluster.apply(manifest);
    cluster.awaitReady(namespace, "driver");
    await("the devices of " + name + " are published")
        .atMost(PATIENCE)
        .until(() -> published() > 0);
  }

  /** Removes its pod, and waits until nothing is published. */
  void stop() {
    var pod = cluster.client().pods().inNamespace(namespace).withName("driver");
    pod.delete();
    pod.waitUntilCondition(Objects::isNull, PATIENCE.toSeconds(), TimeUnit.SECONDS);
    await("the kubelet has removed the slices of " + name)
        .atMost(PATIENCE)
        .until(() -> published() == 0);
  }

  private long published() {
    List<GenericKubernetesResource> slices =
        cluster
            .client()
            .genericKubernetesResources("resource.k8s.io/v1", "ResourceSlice")
            .list()
            .getItems();
    return slices.stream()
        .filter(slice -> name.equals(slice.<Object>get("spec", "driver")))
        .count();
  }
}
