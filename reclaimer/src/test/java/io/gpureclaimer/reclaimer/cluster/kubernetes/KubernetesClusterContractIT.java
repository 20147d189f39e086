package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterContract;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubernetesClusterContractIT extends ClusterContract {
  private static final Quantity ONE = new Quantity("1");
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicLong nanos = new AtomicLong();
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private KubernetesCluster cluster = start();

  private KubernetesCluster start() {
    return KubernetesCluster.start(
        client,
        new WatchTerms(
            Duration.ofMinutes(2),
            AcceleratorNames.USUAL,
            Set.of(),
            Map.of("Deployment.apps", Set.of("/spec/replicas")),
            Optional.of("team"),
            true),
        InstantSource.system(),
        nanos::get);
  }

  @BeforeEach
  void setTheScene() {
    server.forceText("GET", "/apis/apps/v1", Kinds.APPS);
    server.serve("gpu-reclaimer.io", "v1alpha1", "Reclamation", "reclamations");
    server
        .admin()
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    server
        .admin()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(NODE)
                .endMetadata()
                .withNewStatus()
                .withAllocatable(Map.of("nvidia.com/gpu", new Quantity("8")))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build())
        .create();
    await()
        .ignoreException(ClusterUnreachable.class)
        .until(
            () ->
                !cluster.view().nodes().isEmpty()
                    && cluster.view().namespaces().containsKey(NAMESPACE));
  }

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @Override
  protected Cluster cluster() {
    return cluster;
  }

  @Override
  protected PodRef run(String name, Map<String, String> annotations) {
    return ref(server.admin().resource(pod(name, annotations)).create());
  }

  @Override
  protected PodRef runBelowADeployment(String name) {
    ReplicaSet replicaSet =
        new ReplicaSetBuilder()
            .withNewMetadata()
            .withNamespace(NAMESPACE)
            .withName("web-1")
            .addToAnnotations("team", "copied")
            .withOwnerReferences(controller(server.admin().resource(deployment()).create()))
            .endMetadata()
            .build();
    Pod pod =
        new PodBuilder(pod(name, Map.of()))
            .editMetadata()
            .withOwnerReferences(controller(server.admin().resource(replicaSet).create()))
            .endMetadata()
            .build();
    return ref(server.admin().resource(pod).create());
  }

  private static Deployment deployment() {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName("web")
        .addToAnnotations("team", "ml")
        .endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .endSpec()
        .build();
  }

  @Override
  protected void scaleDeployment() {
    server
        .admin()
        .apps()
        .deployments()
        .inNamespace(NAMESPACE)
        .withName("web")
        .edit(d -> new DeploymentBuilder(d).editSpec().withReplicas(5).endSpec().build());
  }

  @Override
  protected void removeDeployment() {
    server.admin().apps().deployments().inNamespace(NAMESPACE).withName("web").delete();
  }

  @Override
  protected void createDeployment() {
    server.admin().resource(deployment()).create();
  }

  @Override
  protected void dropField(String name) {
    server.dropField(name);
  }

  @Override
  protected void requestRestore(Reclamation record) {
    server
        .admin()
        .genericKubernetesResources(Reclamation.API_VERSION, Reclamation.KIND)
        .inNamespace(record.namespace())
        .withName(record.name())
        .edit(
            object -> {
              object.setAdditionalProperty("spec", Map.of("restore", true));
              return object;
            });
  }

  @Override
  protected void delete(Reclamation record) {
    server
        .admin()
        .genericKubernetesResources(Reclamation.API_VERSION, Reclamation.KIND)
        .inNamespace(record.namespace())
        .withName(record.name())
        .delete();
  }

  @Override
  protected void hideRecords() {
    String unknown = "the server could not find the requested resource";
    server.force("GET", "/apis/gpu-reclaimer.io/v1alpha1", 404, unknown);
    server.force(
        "POST",
        "/apis/gpu-reclaimer.io/v1alpha1/namespaces/" + NAMESPACE + "/reclamations",
        404,
        unknown);
    cluster.close();
    cluster = start();
  }

  /** A record of another version, or one that people have edited, must not hide the others. */
  @Test
  void readsTheOtherRecords_whenOneIsMalformed() {
    write("good", "/spec/replicas");
    write("malformed", "spec.replicas");

    await()
        .ignoreException(ClusterUnreachable.class)
        .untilAsserted(
            () ->
                assertThat(cluster.view().reclamations().orElse(List.of()))
                    .extracting(Reclamation::name, Reclamation::unreadable)
                    .containsExactlyInAnyOrder(
                        tuple("good", Optional.empty()),
                        tuple(
                            "malformed",
                            Optional.of(
                                new Reclamation.Unreadable(
                                    Set.of("uid-of-malformed"),
                                    "status.changes[0].path: expected a JSON pointer, found"
                                        + " \"spec.replicas\"")))));

    write("malformed", "/spec/replicas");
    await()
        .untilAsserted(
            () ->
                assertThat(cluster.view().reclamations().orElse(List.of()))
                    .allMatch(record -> record.status().isPresent())
                    .hasSize(2));
  }

  /** Writes a record as people do, of a Deployment that does not exist. */
  private void write(String name, String path) {
    var owner =
        Map.of(
            "apiVersion", "apps/v1", "kind", "Deployment", "name", name, "uid", "uid-of-" + name);
    var change = new HashMap<String, Object>(owner);
    change.putAll(
        Map.of("path", path, "former", Map.of("value", "1"), "written", Map.of("value", "0")));
    var record = new GenericKubernetesResource();
    record.setApiVersion(Reclamation.API_VERSION);
    record.setKind(Reclamation.KIND);
    record.setMetadata(new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
    record.setAdditionalProperty(
        "status", Map.of("state", "Restored", "owner", owner, "changes", List.of(change)));
    var resource = server.admin().resource(record);
    if (resource.get() == null) {
      resource.create();
    }
    resource.patchStatus();
  }

  @Override
  protected void hideDeployments() {
    server.force("GET", "/apis/apps/v1/deployments?limit=500", 403, "deployments is forbidden");
  }

  @Override
  protected void cordon() {
    server
        .admin()
        .nodes()
        .withName(NODE)
        .edit(
            node ->
                new NodeBuilder(node).editOrNewSpec().withUnschedulable(true).endSpec().build());
  }

  private static OwnerReference controller(HasMetadata owner) {
    return new OwnerReferenceBuilder()
        .withApiVersion(owner.getApiVersion())
        .withKind(owner.getKind())
        .withName(owner.getMetadata().getName())
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .build();
  }

  private static Pod pod(String name, Map<String, String> annotations) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName(name)
        .withAnnotations(annotations)
        .endMetadata()
        .withNewSpec()
        .withNodeName(NODE)
        .addNewContainer()
        .withName("main")
        .withNewResources()
        .addToLimits("nvidia.com/gpu", ONE)
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .endStatus()
        .build();
  }

  @Override
  protected void change(PodRef pod) {
    server
        .admin()
        .pods()
        .inNamespace(pod.namespace())
        .withName(pod.name())
        .edit(
            p ->
                new PodBuilder(p)
                    .editMetadata()
                    .addToAnnotations("changed-by", "another-client")
                    .endMetadata()
                    .build());
  }

  @Override
  protected void remove(PodRef pod) {
    server.admin().pods().inNamespace(pod.namespace()).withName(pod.name()).delete();
  }

  @Override
  protected PodRef replace(PodRef pod) {
    remove(pod);
    return run(pod.name(), Map.of());
  }

  @Override
  protected void leaveNoRoom(PodRef pod) {
    server.objectToEvictions(
        "The disruption budget pdb needs 1 healthy pods and has 1 currently", Optional.empty());
  }

  @Override
  protected void block(PodRef pod) {
    server.objectToEvictions(
        "The disruption budget pdb is still being processed by the server.", Optional.of("10"));
  }

  @Override
  protected void forbid(Forbidden verb, PodRef pod) {
    String path = "/api/v1/namespaces/" + pod.namespace();
    switch (verb) {
      case GET -> server.force("GET", path + "/pods/" + pod.name(), 403, "no");
      case PATCH -> server.force("PATCH", path + "/pods/" + pod.name(), 403, "no");
      case EVICT -> server.force("POST", path + "/pods/" + pod.name() + "/eviction", 403, "no");
      case REPORTS -> server.force("POST", path + "/events", 403, "no");
      case CHANGE ->
          server.force(
              "PATCH",
              "/apis/apps/v1/namespaces/"
                  + pod.namespace()
                  + "/deployments/web/scale?fieldManager=gpu-reclaimer",
              403,
              "no");
      case RECORD ->
          server.force(
              "POST",
              "/apis/gpu-reclaimer.io/v1alpha1/namespaces/" + pod.namespace() + "/reclamations",
              403,
              "no");
    }
  }

  @Override
  protected void cutOff() {
    server.cutOff();
    nanos.addAndGet(LONG.toNanos());
  }

  @Override
  protected List<Notice> reportedOn(ObjectRef object) {
    return server.admin().v1().events().inNamespace(object.namespace()).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getUid().equals(object.uid()))
        .map(KubernetesClusterContractIT::notice)
        .toList();
  }

  private static Notice notice(Event event) {
    return new Notice(event.getReason(), event.getMessage(), event.getType().equals("Warning"));
  }

  private static PodRef ref(Pod pod) {
    var metadata = pod.getMetadata();
    return new PodRef(metadata.getNamespace(), metadata.getName(), metadata.getUid());
  }
}
