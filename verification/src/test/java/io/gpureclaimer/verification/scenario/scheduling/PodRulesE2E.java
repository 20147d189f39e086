package io.gpureclaimer.verification.scenario.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.PendingStatus.PendingOutcome;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pending pods and groups with random requests of devices and CPU, and random rules about other
 * pods: the plan beside kube-scheduler. Where the plan says that enough is free, the scheduler
 * binds them. Where it reclaims workloads, the scheduler binds them once these are gone, and not
 * before. Otherwise the scheduler finds no node.
 *
 * <p>A plan for a group is a search, so in a few cases it may miss that a group fits.
 */
@OnCluster
class PodRulesE2E {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String HOST = "kubernetes.io/hostname";
  private static final String GROUP = "scheduling.x-k8s.io/pod-group";
  private static final int NODES = 4;
  private static final int GPUS = 2;
  private static final String SHARED = "nvidia.com/gpu.shared";
  private static final int CORES = 8;
  private static final int FULL = 6;
  private static final int HALF_FULL = 3;

  /** The container of pods about which the message names CPU. */
  private static final String SCARCE = "scarce-cpu";

  /** Of a pod without devices. */
  private static final String CPU_ALONE =
      "{name: main, image: none, resources: {requests: {cpu: '2'}}}";

  private final TestCluster cluster;
  private final KubernetesClient client;
  private final Planner planner = new Planner(new PlanLimits(9, Duration.ZERO));
  private final Map<PendingOutcome, Integer> outcomes = new EnumMap<>(PendingOutcome.class);

  /** Groups that the scheduler binds although the plan says that they need more. */
  private final List<String> missed = new ArrayList<>();

  private String namespace = "";
  private int created;

  PodRulesE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.client = cluster.client();
  }

  @Test
  void theSchedulerBindsPodsAsPlanned() {
    compare(30, 1, 1, FULL);
  }

  @Test
  void theSchedulerBindsGroupsAsPlanned() {
    compare(20, 2, 3, HALF_FULL);
  }

  @Test
  @Tag("nightly")
  void theSchedulerBindsPodsAsPlanned_inManyClusters() {
    compare(600, 3, 1, FULL);
  }

  @Test
  @Tag("nightly")
  void theSchedulerBindsPodsAsPlanned_inManyClustersWithMoreRoom() {
    compare(600, 4, 1, HALF_FULL);
  }

  @Test
  @Tag("nightly")
  void theSchedulerBindsGroupsAsPlanned_inManyClusters() {
    compare(200, 5, 3, HALF_FULL);
  }

  @Test
  @Tag("nightly")
  void theSchedulerBindsLargeGroupsAsPlanned() {
    compare(100, 6, 5, 5);
  }

  /**
   * Compares plans.
   *
   * @param largest how many pods a group has at most; 1 for single pods
   * @param room how many pods stay at most after each case
   */
  private void compare(int cases, long seed, int largest, int room) {
    OwnCluster own = OwnCluster.orSkip();
    namespace = TracedApiObjects.namespace(cluster, "rules", Map.of());
    client
        .namespaces()
        .withName(namespace)
        .edit(
            made ->
                new NamespaceBuilder(made)
                    .editMetadata()
                    .addToLabels(TracedApiObjects.LABEL, "yes")
                    .endMetadata()
                    .build());
    try (var _ = own.freeze("kube-controller-manager")) {
      IntStream.range(0, NODES).forEach(this::node);
      try (NodeProcess scheduler = TracedApiObjects.scheduler(own, 1);
          var watched = watch()) {
        var random = new Random(seed);
        for (int number = 0; number < cases; number++) {
          scheduler.requireRunning();
          int members = largest == 1 ? 1 : 2 + random.nextInt(largest - 1);
          compare(watched, randomPod(random, number, largest > 3 && number % 3 > 0), members);
          makeRoom(random, room);
        }
      }
    } finally {
      TracedApiObjects.deleteAll(client, namespace);
    }
    System.out.println("plans beside kube-scheduler: " + outcomes + ", missed: " + missed.size());
    assertThat(missed).hasSizeLessThanOrEqualTo(largest == 1 ? 0 : cases / 20);
    assertThat(outcomes)
        .containsKeys(
            PendingOutcome.ENOUGH_FREE, PendingOutcome.RECLAIMING, PendingOutcome.IMPOSSIBLE);
  }

  private KubernetesCluster watch() {
    return KubernetesCluster.start(
        client,
        new WatchTerms(
            Duration.ofMinutes(2),
            AcceleratorNames.USUAL,
            Set.of(),
            Map.of(),
            Optional.empty(),
            false),
        InstantSource.system(),
        System::nanoTime);
  }

  private void compare(KubernetesCluster watched, String spec, int members) {
    ClusterView view = withPending(watched, spec, members);
    Plan plan =
        planner.plan(
            due(view).stream().<Verdict>map(each -> each).toList(),
            view,
            Instant.now().plusSeconds(3600));
    PendingStatus status =
        plan.pending().stream()
            .filter(unit -> unit.pods().getFirst().name().startsWith("probe"))
            .findFirst()
            .orElseThrow();
    assertThat(status.pods()).hasSize(members);
    outcomes.merge(status.outcome(), 1, Integer::sum);

    String what = members + " of " + spec + "\nbeside " + others() + "\n" + status.sentence();
    boolean isBound = bind(spec, members);
    if (isBound && status.outcome() != PendingOutcome.ENOUGH_FREE) {
      missed.add(what);
    } else if (status.outcome() == PendingOutcome.RECLAIMING) {
      victims(plan).forEach(this::delete);
      assertThat(bind(spec, members)).as(what).isTrue();
    } else {
      assertThat(isBound).as(what).isEqualTo(status.outcome() == PendingOutcome.ENOUGH_FREE);
    }
  }

  /** Whether the scheduler binds all these pods on some nodes; then they stay. */
  private boolean bind(String spec, int members) {
    List<String> bound = new ArrayList<>();
    while (bound.size() < members) {
      String name = scheduled(spec, Map.of());
      if (!isBound(name)) {
        delete(name);
        break;
      }
      bound.add(name);
    }
    if (bound.size() == members) {
      return true;
    }
    bound.forEach(this::delete);
    return members > 1 && bindSomewhere(spec, members);
  }

  /** Tries each node for each of the pods: the scheduler places one without regard to the next. */
  private boolean bindSomewhere(String spec, int members) {
    if (members == 0) {
      return true;
    }
    for (int node = 0; node < NODES; node++) {
      String name = scheduled(spec, onlyOn(node, 1));
      if (isBound(name) && bindSomewhere(spec, members - 1)) {
        return true;
      }
      delete(name);
    }
    return false;
  }

  /** A resource that only one node has: unlike a selector, it does not matter to spread. */
  private static Map<String, Quantity> onlyOn(int node, int count) {
    return Map.of("example.com/node-" + node, new Quantity(Integer.toString(count)));
  }

  /** Pods that no scheduler serves, as if one had found no node for them. */
  private ClusterView withPending(KubernetesCluster watched, String spec, int members) {
    Set<String> probes = new HashSet<>();
    for (int member = 0; member < members; member++) {
      PodBuilder pod = new PodBuilder(pod("probe-" + member, "none", spec));
      if (members > 1) {
        pod.editMetadata().addToLabels(GROUP, "group-" + created).endMetadata();
      }
      Pod probe = client.resource(pod.build()).create();
      probes.add(probe.getMetadata().getUid());
      client
          .resource(
              new PodBuilder(probe)
                  .editStatus()
                  .addNewCondition()
                  .withType("PodScheduled")
                  .withStatus("False")
                  .withReason("Unschedulable")
                  .withMessage(message(spec))
                  .withLastTransitionTime("2026-01-01T00:00:00Z")
                  .endCondition()
                  .endStatus()
                  .build())
          .patchStatus();
    }
    int placed = others().size();
    ClusterView view =
        await("the watched cluster has the pods")
            .atMost(LIMIT)
            .ignoreException(ClusterUnreachable.class)
            .until(
                watched::view,
                seen ->
                    ours(seen).filter(pod -> pod.waiting().isPresent()).count() == members
                        && ours(seen)
                            .map(pod -> pod.ref().uid())
                            .collect(Collectors.toSet())
                            .containsAll(probes)
                        && ours(seen).filter(PodView::holdsGpus).count() == placed
                        && seen.nodes().stream()
                                .filter(node -> node.labels().containsKey(TracedApiObjects.LABEL))
                                .count()
                            == NODES);
    IntStream.range(0, members).forEach(member -> delete("probe-" + member));
    return view;
  }

  /** Whether the scheduler names CPU must not matter. */
  private static String message(String spec) {
    String device = spec.contains(SHARED) ? SHARED : ResourceNames.GPU;
    return "0/4 nodes are available: "
        + (spec.contains(SCARCE) ? "1 Insufficient cpu, " : "")
        + "4 Insufficient "
        + device
        + ".";
  }

  private Stream<PodView> ours(ClusterView view) {
    return view.pods().stream().filter(pod -> pod.ref().namespace().equals(namespace));
  }

  /** All but every tenth may be reclaimed. */
  private List<Due> due(ClusterView view) {
    Instant now = Instant.now();
    return ours(view)
        .filter(PodView::holdsGpus)
        .filter(pod -> !pod.ref().name().endsWith("5"))
        .map(
            pod ->
                new Due(
                    new Workload(namespace, Optional.empty(), List.of(pod)),
                    now.minusSeconds(7200),
                    Duration.ofHours(2),
                    now,
                    Mode.ON_DEMAND,
                    new EvictPod()))
        .toList();
  }

  private static List<String> victims(Plan plan) {
    return plan.entries().stream()
        .filter(entry -> entry.step() instanceof Step.Act)
        .map(entry -> entry.step().workload().firstPod().ref().name())
        .toList();
  }

  /** The name of a new pod that the scheduler bound, or for which it found no node. */
  private String scheduled(String spec, Map<String, Quantity> further) {
    String name = "pod-" + created++;
    Pod pod = pod(name, "traced", spec);
    pod.getSpec().getContainers().getFirst().getResources().getLimits().putAll(further);
    client.resource(pod).create();
    await("the scheduler answered")
        .atMost(LIMIT)
        .until(() -> existing(name).orElseThrow(), TracedApiObjects::isAnswered);
    return name;
  }

  private boolean isBound(String name) {
    return existing(name).map(each -> each.getSpec().getNodeName()).isPresent();
  }

  private void makeRoom(Random random, int most) {
    List<String> names = new ArrayList<>(new TreeSet<>(others().keySet()));
    while (names.size() > most) {
      delete(names.remove(random.nextInt(names.size())));
    }
  }

  /** Pods with a node, and what they look like. */
  private Map<String, String> others() {
    Map<String, String> found = new HashMap<>();
    for (Pod pod : client.pods().inNamespace(namespace).list().getItems()) {
      boolean hasDevices = !pod.getMetadata().getName().startsWith("other-");
      if (pod.getSpec().getNodeName() != null && hasDevices) {
        found.put(
            pod.getMetadata().getName(),
            pod.getSpec().getNodeName() + " " + pod.getMetadata().getAnnotations().get("spec"));
      }
    }
    return found;
  }

  private Optional<Pod> existing(String name) {
    return Optional.ofNullable(client.pods().inNamespace(namespace).withName(name).get());
  }

  private void delete(String name) {
    client.pods().inNamespace(namespace).withName(name).withGracePeriod(0).delete();
  }

  /** Three nodes in two zones, of which one has a taint, and one in none. */
  private void node(int number) {
    String name = "rules-" + number;
    Map<String, String> labels = new HashMap<>(Map.of(HOST, name));
    if (number < NODES - 1) {
      labels.put(ZONE, number == 0 ? "a" : "b");
    }
    TracedApiObjects.create(
        client,
        new NodeSpec(
            name,
            IntStream.range(0, GPUS).mapToObj(gpu -> new GpuUuid("GPU-" + name + gpu)).toList(),
            labels,
            List.of(),
            Optional.of(new ComputeResources(CORES * 1_000, 64L << 30))));
    if (number == 1) {
      client
          .nodes()
          .withName(name)
          .edit(
              node ->
                  new NodeBuilder(node)
                      .editSpec()
                      .addNewTaint()
                      .withKey("pool")
                      .withValue("fast")
                      .withEffect("NoSchedule")
                      .endTaint()
                      .endSpec()
                      .build());
    }
    client
        .nodes()
        .withName(name)
        .editStatus(
            node ->
                new NodeBuilder(node)
                    .editStatus()
                    .addToCapacity(onlyOn(number, 1_000))
                    .addToAllocatable(onlyOn(number, 1_000))
                    .addToCapacity(shared(number))
                    .addToAllocatable(shared(number))
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus("True")
                    .endCondition()
                    .endStatus()
                    .build());
    client
        .resource(
            new PodBuilder(
                    pod("other-" + number, "none", "spec: {containers: [" + CPU_ALONE + "]}"))
                .editSpec()
                .withNodeName(name)
                .endSpec()
                .build())
        .create();
  }

  /** The last two nodes have replicas of other GPUs as well. */
  private static Map<String, Quantity> shared(int node) {
    return node < NODES - 2 ? Map.of() : Map.of(SHARED, new Quantity("2"));
  }

  private Pod pod(String name, String scheduler, String spec) {
    Pod pod =
        new KubernetesSerialization()
            .unmarshal("---\n{apiVersion: v1, kind: Pod, " + spec + "}", Pod.class);
    return new PodBuilder(pod)
        .editMetadata()
        .withNamespace(namespace)
        .withName(name)
        .addToAnnotations("spec", spec)
        .endMetadata()
        .editSpec()
        .withSchedulerName(scheduler)
        .addToNodeSelector(TracedApiObjects.LABEL, "yes")
        .endSpec()
        .build();
  }

  /**
   * A specification.
   *
   * @param plain whether it has no rules about other pods: most large groups with them fit nowhere
   */
  private static String randomPod(Random random, int number, boolean plain) {
    if (plain) {
      return "metadata: {labels: {app: none}}, spec: {tolerations: ["
          + toleration(random)
          + "], "
          + container(random, "")
          + "}";
    }
    String port = random.nextInt(5) == 0 ? "hostPort: " + (8080 + random.nextInt(2)) + ", " : "";
    return "metadata: {labels: {app: "
        + app(random)
        + ", round: r"
        + number % 2
        + "}}, spec: {"
        + (random.nextInt(6) == 0 ? "nodeSelector: {" + ZONE + ": b}, " : "")
        + (random.nextBoolean() ? "tolerations: [" + toleration(random) + "], " : "")
        + "affinity: {"
        + (random.nextInt(4) == 0 ? terms("podAffinity", random) : "")
        + (random.nextInt(3) == 0 ? terms("podAntiAffinity", random) : "")
        + "}, topologySpreadConstraints: ["
        + (random.nextInt(3) == 0 ? spread(random) : "")
        + "], "
        + container(random, port)
        + "}";
  }

  private static String container(Random random, String port) {
    return "containers: [{name: "
        + (random.nextBoolean() ? SCARCE : "main")
        + ", image: none, ports: [{"
        + port
        + "containerPort: 80}], resources: {limits: {"
        + (random.nextInt(4) == 0
            ? SHARED + ": '1'"
            : ResourceNames.GPU + ": '" + (1 + random.nextInt(GPUS)) + "'")
        + "}, requests: {cpu: '"
        + (1 + random.nextInt(5))
        + "'}}}]";
  }

  private static String terms(String kind, Random random) {
    return kind
        + ": {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
        + key(random)
        + ", labelSelector: "
        + selector(random)
        + namespaces(kind, random)
        + "}]}, ";
  }

  /**
   * All namespaces, those with a label that the pods' own one has, or those without it. The last
   * ones not in affinity: pods with such are not served.
   */
  private static String namespaces(String kind, Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> ", namespaceSelector: {}";
      case 1 -> ", namespaceSelector: {matchLabels: {" + TracedApiObjects.LABEL + ": 'yes'}}";
      case 2 ->
          kind.equals("podAffinity")
              ? ""
              : ", namespaceSelector: {matchExpressions: [{key: "
                  + TracedApiObjects.LABEL
                  + ", operator: DoesNotExist}]}";
      default -> "";
    };
  }

  private static String spread(Random random) {
    return "{whenUnsatisfiable: DoNotSchedule, topologyKey: "
        + key(random)
        + ", maxSkew: "
        + (1 + random.nextInt(2))
        + (random.nextInt(3) == 0 ? ", minDomains: " + (1 + random.nextInt(4)) : "")
        + (random.nextInt(3) == 0 ? ", nodeAffinityPolicy: Ignore" : "")
        + (random.nextInt(3) == 0 ? ", nodeTaintsPolicy: Honor" : "")
        + (random.nextInt(3) == 0 ? ", matchLabelKeys: [round]" : "")
        + ", labelSelector: "
        + selector(random)
        + "}";
  }

  /** The last one tolerates another taint than the node has. */
  private static String toleration(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> "{key: pool, operator: Exists}";
      case 1 -> "{key: pool, value: fast, effect: NoSchedule}";
      default -> "{key: pool, value: slow}";
    };
  }

  private static String selector(Random random) {
    return random.nextInt(4) == 0
        ? "{matchExpressions: [{key: app, operator: NotIn, values: [" + app(random) + "]}]}"
        : "{matchLabels: {app: " + app(random) + "}}";
  }

  private static String key(Random random) {
    return random.nextBoolean() ? ZONE : HOST;
  }

  private static String app(Random random) {
    return random.nextBoolean() ? "a" : "b";
  }
}
