package io.gpureclaimer.verification.scenario.harness;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cluster of {@link Kubeconfig}, as its administrator sees it. What a scenario puts there
 * through this object is removed when it is closed, newest first; namespaces with all that is in
 * them. Confined to the thread of the test.
 */
public final class TestCluster implements AutoCloseable {
  private static final Duration REMOVAL = Duration.ofMinutes(1);
  private static final Duration START = Duration.ofSeconds(60);
  private static final String GPU = "nvidia.com/gpu";

  private final KubernetesClient client =
      new KubernetesClientBuilder()
          .withConfig(Config.fromKubeconfig(Kubeconfig.required().toFile()))
          .build();
  private final Deque<HasMetadata> created = new ArrayDeque<>();

  /** Opens it, if it is one that people gave to tests. */
  TestCluster() {
    TestClusterConsent.require(client);
  }

  /** The client itself, for what is not offered here. */
  public KubernetesClient client() {
    return client;
  }

  /** Creates a new namespace; its name begins with the given one. */
  public String namespace(String name, Map<String, String> annotations) {
    String unique = name + "-" + UUID.randomUUID().toString().substring(0, 6);
    Namespace namespace =
        new NamespaceBuilder()
            .withNewMetadata()
            .withName(unique)
            .withAnnotations(annotations)
            .addToLabels(Leftovers.LABEL, Leftovers.VALUE)
            .endMetadata()
            .build();
    remember(client.resource(namespace).create());
    return unique;
  }

  /** Creates or changes what the manifest says. */
  public List<HasMetadata> apply(Manifest manifest) {
    byte[] yaml = manifest.text().getBytes(StandardCharsets.UTF_8);
    return client.load(new ByteArrayInputStream(yaml)).items().stream().map(this::apply).toList();
  }

  /**
   * Creates or changes what the manifest says, and leaves it there: a kind that other tests of the
   * same cluster use at the same time, or watch.
   */
  public void applyKept(Manifest manifest) {
    byte[] yaml = manifest.text().getBytes(StandardCharsets.UTF_8);
    client
        .load(new ByteArrayInputStream(yaml))
        .items()
        .forEach(thing -> client.resource(thing).forceConflicts().serverSideApply());
  }

  /** Creates or changes one thing. */
  public HasMetadata apply(HasMetadata thing) {
    boolean there = client.resource(thing).get() != null;
    Leftovers.mark(thing);
    HasMetadata applied = client.resource(thing).forceConflicts().serverSideApply();
    if (!there) {
      remember(applied);
    }
    return applied;
  }

  /**
   * Changes only what the JSON merge patch names, so that another client that writes the object at
   * the same time is no conflict: an agent labels its node whenever it likes.
   */
  public static void merge(Resource<?> object, String patch) {
    object.patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private void remember(HasMetadata thing) {
    created.push(thing);
  }

  /** The node that tests use: the first one by name. */
  public String node() {
    return client.nodes().list().getItems().stream()
        .map(node -> node.getMetadata().getName())
        .sorted()
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the cluster has no node"));
  }

  /**
   * Lets the node offer as many GPUs as nvidia.com/gpu, by a device plugin of the tests' own, and
   * waits until no pod holds any. Pods get them in the order of the answer, which are the UUIDs
   * that the simulated driver of the exporter gives on a node of this name.
   */
  public List<String> gpus(int count) {
    List<String> uuids = IntStream.range(0, count).mapToObj(index -> uuid(node(), index)).toList();
    offer(uuids);
    return uuids;
  }

  /**
   * The same with one GPU that is offered as often as said, as time-slicing does; pods get the
   * shares in the order of their numbers.
   *
   * @return the GPU's UUID
   */
  public String shares(int count) {
    String uuid = uuid(node(), 0);
    offer(IntStream.range(0, count).mapToObj(share -> uuid + "::" + share).toList());
    return uuid;
  }

  private static String uuid(String node, int index) {
    byte[] seed = (node + '/' + index).getBytes(StandardCharsets.UTF_8);
    return "GPU-" + UUID.nameUUIDFromBytes(seed);
  }

  private void offer(List<String> ids) {
    String node = node();
    apply(
        Manifest.beside(TestCluster.class, "gpuplugin.yaml")
            .with("node", node)
            .with("gpus", ids.stream().collect(Collectors.joining("\", \"", "\"", "\""))));
    await("the node offers " + ids.size() + " GPUs")
        .atMost(START)
        .until(() -> allocatable(node).equals(new Quantity(String.valueOf(ids.size()))));
  }

  private Quantity allocatable(String name) {
    Node node = client.nodes().withName(name).require();
    return node.getStatus().getAllocatable().getOrDefault(GPU, new Quantity("0"));
  }

  /** Waits until the pod is ready, and answers what it then is. */
  public Pod awaitReady(String namespace, String pod) {
    return client
        .pods()
        .inNamespace(namespace)
        .withName(pod)
        .waitUntilCondition(
            found ->
                found != null
                    && found.getStatus() != null
                    && found.getStatus().getConditions().stream()
                        .anyMatch(
                            condition ->
                                "Ready".equals(condition.getType())
                                    && "True".equals(condition.getStatus())),
            START.toSeconds(),
            TimeUnit.SECONDS);
  }

  /** Waits until so many pods are in the namespace, all of them ready. */
  public List<Pod> awaitReady(String namespace, int count, Duration limit) {
    return await(count + " pods are ready")
        .atMost(limit)
        .until(
            () -> pods(namespace),
            found -> found.size() == count && found.stream().allMatch(Readiness::isPodReady));
  }

  /** The pods of a namespace that are not being deleted. */
  public List<Pod> pods(String namespace) {
    return client.pods().inNamespace(namespace).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  /**
   * A kubeconfig for a service account with its own token, valid for an hour, as a program has it
   * that runs in a pod of that account.
   */
  public String kubeconfig(String namespace, String account) {
    return kubeconfig(
        client.serviceAccounts().inNamespace(namespace).withName(account).tokenRequest());
  }

  /**
   * The same with a token that is bound to the pod, and so names its node, as the kubelet's are.
   */
  public String kubeconfig(Pod pod) {
    TokenRequest request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withNewBoundObjectRef()
            .withApiVersion("v1")
            .withKind("Pod")
            .withName(pod.getMetadata().getName())
            .withUid(pod.getMetadata().getUid())
            .endBoundObjectRef()
            .endSpec()
            .build();
    return kubeconfig(
        client
            .serviceAccounts()
            .inNamespace(pod.getMetadata().getNamespace())
            .withName(pod.getSpec().getServiceAccountName())
            .tokenRequest(request));
  }

  private String kubeconfig(TokenRequest answer) {
    return """
        apiVersion: v1
        kind: Config
        current-context: scenario
        contexts:
          - {name: scenario, context: {cluster: scenario, user: scenario}}
        clusters:
          - {name: scenario, cluster: {server: "%s", certificate-authority-data: %s}}
        users:
          - {name: scenario, user: {token: %s}}
        """
        .formatted(
            client.getMasterUrl(),
            client.getConfiguration().getCaCertData(),
            answer.getStatus().getToken());
  }

  /** What the scenario has put there and is not removed yet. */
  List<HasMetadata> created() {
    return List.copyOf(created);
  }

  /** The namespaces that the scenario uses. */
  Set<String> namespaces() {
    return created.stream()
        .map(
            thing ->
                thing instanceof Namespace
                    ? thing.getMetadata().getName()
                    : thing.getMetadata().getNamespace())
        .filter(namespace -> namespace != null && !namespace.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void close() {
    try (client) {
      created.forEach(thing -> client.resource(thing).withGracePeriod(0).delete());
      await("everything that the scenario created is gone")
          .atMost(REMOVAL)
          .until(() -> created.stream().allMatch(thing -> client.resource(thing).get() == null));
    }
  }
}
