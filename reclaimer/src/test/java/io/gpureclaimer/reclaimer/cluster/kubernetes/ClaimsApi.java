package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An API server with one node and resource claims, and the cluster that is read from it. */
final class ClaimsApi implements AutoCloseable {
  static final String GROUP = "/apis/resource.k8s.io";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(
          client,
          WatchTerms.usual(Duration.ofMinutes(2)),
          InstantSource.system(),
          MonotonicClock.SYSTEM);

  ClaimsApi() {
    create(
        """
        kind: Node
        apiVersion: v1
        metadata: {name: node-a}
        status: {conditions: [{type: Ready, status: 'True'}]}
        """);
  }

  FakeApiServer server() {
    return server;
  }

  KubernetesCluster cluster() {
    return cluster;
  }

  /** The versions of the group, separated by spaces, the newest first. */
  void serve(String versions) {
    String listed =
        Stream.of(versions.split(" ", -1))
            .map(version -> "{\"version\":\"" + version + "\"}")
            .collect(Collectors.joining(","));
    server.forceText(
        "GET",
        GROUP,
        "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"versions\":[" + listed + "]}");
  }

  /**
   * Creates a claim that gave devices.
   *
   * @param holders UIDs of the pods that it is reserved for
   */
  void claim(String version, String name, int devices, String... holders) {
    String results =
        IntStream.range(0, devices)
            .mapToObj(i -> "{driver: gpu.nvidia.com, pool: node-a, device: gpu-" + i + "}")
            .collect(Collectors.joining(", "));
    String reserved =
        Stream.of(holders)
            .map(uid -> "{resource: pods, name: p, uid: " + uid + "}")
            .collect(Collectors.joining(", "));
    create(
        """
        kind: ResourceClaim
        apiVersion: resource.k8s.io/VERSION
        metadata: {namespace: ml, name: NAME}
        status:
          allocation: {devices: {results: [RESULTS]}, nodeSelector: {}}
          reservedFor: [HOLDERS]
        """
            .replace("VERSION", version)
            .replace("NAME", name)
            .replace("RESULTS", results)
            .replace("HOLDERS", reserved));
  }

  String uidOf(String pod) {
    return server.admin().pods().inNamespace("ml").withName(pod).get().getMetadata().getUid();
  }

  void create(String yaml) {
    HasMetadata item = new KubernetesSerialization().unmarshal("---\n" + yaml);
    server.admin().resource(item).create();
  }

  @Override
  public void close() {
    cluster.close();
    client.close();
    server.close();
  }
}
