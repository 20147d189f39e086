package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Owners of custom kinds that are idle: stopped through the real API server with the shipped rights
 * and the shipped admission policy, and restored to the byte. Their controllers are stand-ins: they
 * remove the pod of an owner whose field says so.
 */
@OnCluster
class CustomOwnersE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A kind.
   *
   * @param body its specification and other fields, as JSON without the outer braces
   * @param path JSON pointer of the field that stops it
   * @param stopped the value that stops it, as JSON; empty where any value does
   */
  private record CustomKind(
      String apiVersion, String kind, String body, String path, String stopped) {

    String group() {
      return apiVersion.substring(0, apiVersion.indexOf('/'));
    }

    String version() {
      return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    String singular() {
      return kind.toLowerCase(Locale.ROOT);
    }

    ResourceDefinitionContext context() {
      return new ResourceDefinitionContext.Builder()
          .withGroup(group())
          .withVersion(version())
          .withKind(kind)
          .withPlural(singular() + "s")
          .withNamespaced(true)
          .build();
    }

    boolean isStopped(JsonNode object) {
      JsonNode value = object.at(path);
      return !value.isMissingNode() && (stopped.isEmpty() || value.toString().equals(stopped));
    }
  }

  private static final String NO_FIELDS = "\"spec\":{\"size\":1}";
  private static final String REPLICAS = "\"spec\":{\"replicas\":3}";
  private static final String STOP_ANNOTATION = "/metadata/annotations/serving.kserve.io~1stop";

  private static final List<CustomKind> KINDS =
      List.of(
          scaled("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"),
          scaled("argoproj.io/v1alpha1", "Rollout"),
          scaled("grove.io/v1alpha1", "PodCliqueSet"),
          scaled("apps.nvidia.com/v1alpha1", "NIMService"),
          suspended("jobset.x-k8s.io/v1alpha2", "JobSet"),
          suspended("trainer.kubeflow.org/v1alpha1", "TrainJob"),
          suspended("ray.io/v1", "RayService"),
          suspended("sparkoperator.k8s.io/v1beta2", "SparkApplication"),
          kubeflow("v1", "PyTorchJob"),
          kubeflow("v1", "TFJob"),
          kubeflow("v1", "XGBoostJob"),
          kubeflow("v1", "PaddleJob"),
          kubeflow("v1", "JAXJob"),
          kubeflow("v2beta1", "MPIJob"),
          new CustomKind(
              "kubeflow.org/v1",
              "Notebook",
              NO_FIELDS,
              "/metadata/annotations/kubeflow-resource-stopped",
              ""),
          new CustomKind(
              "kubeflow.org/v1beta1",
              "Workspace",
              "\"spec\":{\"paused\":false}",
              "/spec/paused",
              "true"),
          new CustomKind(
              "serving.kserve.io/v1beta1",
              "InferenceService",
              NO_FIELDS,
              STOP_ANNOTATION,
              "\"true\""),
          new CustomKind(
              "serving.kserve.io/v1alpha1",
              "LLMInferenceService",
              NO_FIELDS,
              STOP_ANNOTATION,
              "\"true\""),
          new CustomKind(
              "workspace.devfile.io/v1alpha2",
              "DevWorkspace",
              "\"spec\":{\"started\":true}",
              "/spec/started",
              "false"));

  private final TestCluster cluster;
  private final StubPrometheus prometheus;
  private final Replicas replicas;

  CustomOwnersE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  private static CustomKind scaled(String apiVersion, String kind) {
    return new CustomKind(apiVersion, kind, REPLICAS, "/spec/replicas", "0");
  }

  private static CustomKind suspended(String apiVersion, String kind) {
    return new CustomKind(apiVersion, kind, NO_FIELDS, "/spec/suspend", "true");
  }

  private static CustomKind kubeflow(String version, String kind) {
    return new CustomKind(
        "kubeflow.org/" + version, kind, NO_FIELDS, "/spec/runPolicy/suspend", "true");
  }

  @Test
  void stopsEachKind_andRestoresItToTheByte() {
    cluster.gpus(KINDS.size());
    cluster.apply(Manifest.shipped("reclaimer-admission-writes.yaml"));
    KINDS.forEach(this::install);
    String namespace = TestNamespace.withMode(cluster, "always").namespace();
    Map<CustomKind, String> before = new HashMap<>();
    KINDS.forEach(kind -> before.put(kind, create(kind, namespace)));
    KINDS.forEach(
        kind -> prometheus.showsIdle(cluster.awaitReady(namespace, kind.singular() + "-0")));
    replicas.start("reclaimer", prometheus, PACE);

    await("every kind is reclaimed")
        .atMost(SOON)
        .untilAsserted(
            () -> {
              KINDS.forEach(kind -> actAsController(kind, namespace));
              assertThat(Records.states(cluster, namespace))
                  .hasSize(KINDS.size())
                  .allSatisfy((_, state) -> assertThat(state).startsWith("Reclaimed"));
            });
    KINDS.forEach(
        kind ->
            assertThat(kind.isStopped(tree(kind, namespace)))
                .as(kind + ": " + Records.states(cluster, namespace))
                .isTrue());

    Records.askForRestore(cluster, namespace);

    await("every kind is restored")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(Records.states(cluster, namespace).values())
                    .allSatisfy(state -> assertThat(state).startsWith("Restored")));
    KINDS.forEach(
        kind ->
            assertThat(body(tree(kind, namespace))).as(kind.kind()).isEqualTo(before.get(kind)));
  }

  private void install(CustomKind kind) {
    Manifest manifest = Manifest.beside(CustomOwnersE2E.class, "crd.yaml");
    cluster.apply(
        manifest
            .with("group", kind.group())
            .with("version", kind.version())
            .with("kind", kind.kind())
            .with("singular", kind.singular())
            .with("plural", kind.singular() + "s"));
    await(kind.kind() + " is served")
        .atMost(SOON)
        .until(() -> cluster.client().supports(kind.apiVersion(), kind.kind()));
  }

  /** Creates an owner with its pod, and returns what has to be the same after all. */
  private String create(CustomKind kind, String namespace) {
    var manifest =
        new Manifest(
            "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"it\",\"namespace\":\"%s\"},%s}"
                .formatted(kind.apiVersion(), kind.kind(), namespace, kind.body()));
    String uid = cluster.apply(manifest).getFirst().getMetadata().getUid();
    cluster.apply(
        Manifest.beside(CustomOwnersE2E.class, "ownedpod.yaml")
            .with("name", kind.singular() + "-0")
            .with("namespace", namespace)
            .with("apiVersion", kind.apiVersion())
            .with("kind", kind.kind())
            .with("uid", uid));
    return body(tree(kind, namespace));
  }

  /** Removes the pod of an owner that is stopped, as its controller would. */
  private void actAsController(CustomKind kind, String namespace) {
    Resource<Pod> pod =
        cluster.client().pods().inNamespace(namespace).withName(kind.singular() + "-0");
    if (kind.isStopped(tree(kind, namespace)) && pod.get() != null) {
      pod.withGracePeriod(0).delete();
    }
  }

  private static String body(JsonNode object) {
    return object.path("spec") + " " + object.at("/metadata/annotations");
  }

  private JsonNode tree(CustomKind kind, String namespace) {
    return JSON.valueToTree(
        cluster
            .client()
            .genericKubernetesResources(kind.context())
            .inNamespace(namespace)
            .withName("it")
            .get());
  }
}
