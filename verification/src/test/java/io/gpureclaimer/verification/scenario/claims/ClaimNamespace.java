package io.gpureclaimer.verification.scenario.claims;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A namespace whose pods get devices by claims. Confined to the thread of the test. */
record ClaimNamespace(TestCluster cluster, String namespace) {
  private static final String UUID = "device.attributes['gpu.nvidia.com'].uuid";

  /** Asks for exactly these whole GPUs, all of them. */
  static String gpus(String... uuids) {
    return request("gpu", uuids.length, false, whole(uuids));
  }

  /** Requests admin access to these GPUs. */
  static String adminAccess(String... uuids) {
    return request("gpu", uuids.length, true, whole(uuids));
  }

  /** Asks for a part of a GPU that is there. */
  static String instance(String uuid) {
    return request("mig", 1, false, "has(" + UUID + ") && " + UUID + " == '" + uuid + "'");
  }

  /** Asks for a part of a GPU that is yet to be made. */
  static String part() {
    return request("mig", 1, false, "!has(" + UUID + ")");
  }

  /** Asks for what is no GPU. */
  static String card() {
    return request("card", 1, false, "true");
  }

  private static String whole(String... uuids) {
    return UUID + Arrays.stream(uuids).collect(Collectors.joining("', '", " in ['", "']"));
  }

  private static String request(String kind, int count, boolean admin, String expression) {
    return Manifest.beside(ClaimNamespace.class, "request.yaml")
        .with("kind", kind)
        .with("count", count)
        .with("admin", admin)
        .with("expression", expression)
        .text()
        .strip();
  }

  void claim(String name, String... requests) {
    apply("claim.yaml", name, requests);
  }

  void template(String name, String... requests) {
    apply("template.yaml", name, requests);
  }

  private void apply(String manifest, String name, String... requests) {
    cluster.apply(beside(manifest, name).with("requests", "[" + String.join(", ", requests) + "]"));
  }

  /** Creates a pod with this claim, and does not wait. */
  void submit(String pod, String claim) {
    cluster.apply(beside("pod.yaml", pod).with("claim", "resourceClaimName: " + claim));
  }

  /** Creates a pod with a claim of its own, and does not wait. */
  void submitOwn(String pod, String template) {
    cluster.apply(beside("pod.yaml", pod).with("claim", "resourceClaimTemplateName: " + template));
  }

  Pod run(String pod, String claim) {
    submit(pod, claim);
    return cluster.awaitReady(namespace, pod);
  }

  Pod runOwn(String pod, String template) {
    submitOwn(pod, template);
    return cluster.awaitReady(namespace, pod);
  }

  /** A pod that asks for a GPU as if there were no claims. */
  Pod runByName(String pod) {
    submitByName(pod, 1);
    return cluster.awaitReady(namespace, pod);
  }

  /** Creates a pod that asks for so many, and does not wait. */
  void submitByName(String pod, int gpus) {
    cluster.apply(beside("by-name.yaml", pod).with("count", gpus));
  }

  /** From now on, pods that ask for GPUs as if there were no claims get one of these. */
  void offerByName(String... uuids) {
    cluster.apply(
        Manifest.beside(ClaimNamespace.class, "class.yaml")
            .with("name", namespace)
            .with("expression", whole(uuids)));
  }

  /**
   * Now they get any GPU again. Once kube-scheduler 1.36 has seen the newer class end, it gives
   * GPUs by name only if the older one is created again.
   */
  void offerAllByName() {
    for (String name : List.of(namespace, "gpu.gpu-reclaimer.io")) {
      cluster
          .client()
          .genericKubernetesResources("resource.k8s.io/v1", "DeviceClass")
          .withName(name)
          .delete();
    }
    cluster.apply(Manifest.beside(ClaimNamespace.class, "classes.yaml"));
  }

  /**
   * A pod of two containers, {@code left} and {@code right}, with all devices of the claim each.
   */
  Pod runTwoContainers(String pod, String claim) {
    cluster.apply(beside("two-containers.yaml", pod).with("claim", claim));
    return cluster.awaitReady(namespace, pod);
  }

  /** The claim itself. */
  Resource<GenericKubernetesResource> claim(String name) {
    return cluster
        .client()
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace(namespace)
        .withName(name);
  }

  private Manifest beside(String manifest, String name) {
    return Manifest.beside(ClaimNamespace.class, manifest)
        .with("namespace", namespace)
        .with("name", name);
  }
}
