package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.RealController;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Idle owners of custom kinds below their real controllers: these remove the pods of what the
 * reclaimer stops, and run them again after the restore. Nothing stands in for a controller, except
 * that their webhooks are off: the manifests set what a webhook would.
 */
@OnCluster
@Tag("nightly")
class RealControllersE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofMinutes(3);

  record ControllerKind(String apiVersion, String kind) {}

  /**
   * A controller, and what is in the manifest of its name.
   *
   * @param pods that hold a GPU
   * @param kinds whose objects have to be as before after all
   * @param owners that are stopped, or how their names begin
   * @param with other controllers that run beside it
   * @param twice whether the manifest is of one owner that a field suspends, and is applied twice:
   *     without the field and with false
   */
  record Controller(
      String name,
      int pods,
      List<ControllerKind> kinds,
      List<String> owners,
      List<String> with,
      boolean twice) {

    static Controller of(String name, int pods, List<ControllerKind> kinds, String... owners) {
      return new Controller(name, pods, kinds, List.of(owners), List.of(), false);
    }

    static Controller suspending(String name, int pods, ControllerKind kind, String... with) {
      return new Controller(
          name,
          pods,
          List.of(kind),
          List.of(kind.kind() + "/absent", kind.kind() + "/written"),
          List.of(with),
          true);
    }

    List<Manifest> manifests(String namespace) {
      Manifest manifest =
          Manifest.beside(RealControllersE2E.class, name + ".yaml").with("namespace", namespace);
      return twice
          ? List.of(
              manifest.with("name", "absent").with("suspend", ""),
              manifest.with("name", "written").with("suspend", "suspend: false"))
          : List.of(manifest);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Controller> controllers() {
    return List.of(
        Controller.of(
            "rollouts",
            3,
            List.of(new ControllerKind("argoproj.io/v1alpha1", "Rollout")),
            "Rollout/bluegreen",
            "Rollout/canary"),
        Controller.of(
            "keda",
            1,
            List.of(
                new ControllerKind("apps/v1", "Deployment"),
                new ControllerKind("keda.sh/v1alpha1", "ScaledObject")),
            "Deployment/serve"),
        Controller.of(
            "kueue",
            2,
            List.of(
                new ControllerKind("batch/v1", "Job"),
                new ControllerKind("kueue.x-k8s.io/v1beta2", "Workload")),
            "Workload/job-train-"),
        Controller.suspending("kuberay", 4, new ControllerKind("ray.io/v1", "RayCluster")),
        Controller.suspending(
            "jobset", 4, new ControllerKind("jobset.x-k8s.io/v1alpha2", "JobSet")),
        Controller.suspending("training", 2, new ControllerKind("kubeflow.org/v1", "PyTorchJob")),
        Controller.suspending(
            "trainer",
            4,
            new ControllerKind("trainer.kubeflow.org/v1alpha1", "TrainJob"),
            "jobset"),
        Controller.of(
            "knative",
            1,
            List.of(
                new ControllerKind("serving.knative.dev/v1", "Revision"),
                new ControllerKind("serving.knative.dev/v1", "Service")),
            "Revision/serve-00001"));
  }

  private TestCluster cluster;
  private Replicas replicas;
  private final List<NodeProcess> running = new ArrayList<>();
  private final List<HasMetadata> used = new ArrayList<>();

  /** Here, and not in a constructor, so that each controller has its own. */
  @BeforeEach
  void take(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
  }

  /** While the controller still removes its finalizers. */
  @AfterEach
  void end() {
    used.reversed().forEach(thing -> cluster.client().resource(thing).delete());
    await("all of it is gone")
        .atMost(SOON)
        .until(
            () -> used.stream().allMatch(thing -> cluster.client().resource(thing).get() == null));
    running.reversed().forEach(NodeProcess::close);
  }

  @ParameterizedTest
  @MethodSource("controllers")
  void stopsItsIdleOwners_andRunsThemAgain(Controller which) {
    Stream.concat(which.with().stream(), Stream.of(which.name()))
        .forEach(name -> running.add(RealController.start(cluster, name)));
    cluster.gpus(which.pods());
    cluster.apply(Manifest.shipped("reclaimer-admission-writes.yaml"));
    String namespace = TestNamespace.withMode(cluster, "always").namespace();
    used.add(cluster.client().namespaces().withName(namespace).require());
    which.manifests(namespace).forEach(manifest -> used.addAll(cluster.apply(manifest)));
    StubPrometheus prometheus = replicas.prometheus();
    awaitPods(namespace, which.pods()).forEach(prometheus::showsIdle);
    Map<String, String> before = specs(which, namespace);
    replicas.start("reclaimer", prometheus, PACE);

    awaitStates(which, namespace, "Reclaimed");
    assertThat(holders(namespace)).isEmpty();
    assertThat(specs(which, namespace)).isNotEqualTo(before);

    Records.askForRestore(cluster, namespace);

    awaitStates(which, namespace, "Restored");
    awaitPods(namespace, which.pods());
    assertThat(specs(which, namespace)).isEqualTo(before);
  }

  private void awaitStates(Controller which, String namespace, String state) {
    await("all owners are " + state)
        .atMost(SOON)
        .untilAsserted(
            () -> {
              running.forEach(NodeProcess::requireRunning);
              Map<String, String> states = Records.states(cluster, namespace);
              assertThat(states.values())
                  .allSatisfy(found -> assertThat(found).startsWith(state + ":"));
              assertThat(states.keySet().stream().sorted())
                  .zipSatisfy(
                      which.owners(), (found, owner) -> assertThat(found).startsWith(owner));
            });
  }

  private List<Pod> awaitPods(String namespace, int count) {
    return await(count + " pods are ready")
        .atMost(SOON)
        .until(
            () -> {
              running.forEach(NodeProcess::requireRunning);
              return holders(namespace);
            },
            found -> found.size() == count && found.stream().allMatch(Readiness::isPodReady));
  }

  /** The pods that hold a GPU. */
  private List<Pod> holders(String namespace) {
    return cluster.client().pods().inNamespace(namespace).list().getItems().stream()
        .filter(pod -> !List.of("Succeeded", "Failed").contains(pod.getStatus().getPhase()))
        .filter(
            pod ->
                pod.getSpec().getContainers().stream()
                    .anyMatch(
                        container ->
                            Optional.ofNullable(container.getResources().getLimits())
                                .orElse(Map.of())
                                .containsKey("nvidia.com/gpu")))
        .toList();
  }

  /** Specification and annotations of each owner, as JSON. */
  private Map<String, String> specs(Controller which, String namespace) {
    Map<String, String> specs = new TreeMap<>();
    for (ControllerKind kind : which.kinds()) {
      for (GenericKubernetesResource found :
          cluster
              .client()
              .genericKubernetesResources(kind.apiVersion(), kind.kind())
              .inNamespace(namespace)
              .list()
              .getItems()) {
        specs.put(
            kind.kind() + "/" + found.getMetadata().getName(),
            Serialization.asJson(found.get("spec"))
                + Serialization.asJson(found.getMetadata().getAnnotations()));
      }
    }
    return specs;
  }
}
