package io.gpureclaimer.verification.scenario.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.simulate.TracedObjects;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import io.gpureclaimer.verification.scenario.harness.AuditLog;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nodes that KWOK plays, full of pods, below a real API server, controller manager and scheduler.
 * Pods and gangs arrive at 20 times real time while the reclaimer evicts idle pods for them. What
 * it says about pending pods is compared with what the scheduler does.
 */
@OnCluster
@Tag("nightly")
class FakeNodesE2E {
  private static final int NODES = Integer.getInteger("kwok.nodes", 1_000);
  private static final Duration PLAYED =
      Duration.ofSeconds(Integer.getInteger("kwok.seconds", 300));
  private static final int SPEED = 20;
  private static final int GANG_EVERY = 5;
  private static final int GANG_SIZE = 4;
  private static final int DEFAULT_PARALLELISM = 16;
  private static final int AT_ONCE = 16;
  private static final Duration LIMIT = Duration.ofMinutes(30);
  private static final Duration IDLE_AFTER = Duration.ofSeconds(30);
  private static final ShortIntervals PACE =
      new ShortIntervals(IDLE_AFTER, Duration.ofSeconds(15), Duration.ofSeconds(5));
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path RESULTS = Path.of("target/scenarios/fake-nodes");

  private final TestCluster cluster;
  private final KubernetesClient client;
  private final Replicas replicas;
  private final StubPrometheus prometheus;
  private final PlayedPods pods;
  private final FeasibilityComparison feasibility;
  private String namespace = "";
  private List<NodeProcess> programs = List.of();

  FakeNodesE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.client = cluster.client();
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
    this.pods = new PlayedPods(prometheus);
    this.feasibility = new FeasibilityComparison(pods);
  }

  /** A pod that arrives. */
  private record Arrival(Duration after, PodSpec pod) {}

  @Test
  void evictsOnlyIdlePods_forPodsThatArrive() {
    var own = OwnCluster.orSkip();
    WorkloadTrace trace = ListedTrace.read(NODES);
    namespace =
        TracedApiObjects.namespace(cluster, "played", Map.of(Annotations.MODE, "on-demand"));
    try (NodeProcess kwok = own.playNodes();
        NodeProcess scheduler = TracedApiObjects.scheduler(own, DEFAULT_PARALLELISM)) {
      programs = List.of(kwok, scheduler);
      awaitNodes(trace);
      client.pods().inNamespace(namespace).inform(pods);
      Deque<Arrival> arrivals = fill(trace);
      AuditLog audit = own.auditLog();
      Replica replica =
          replicas.startAsShipped("reclaimer", prometheus, PACE, "plan.pending-grace=5s");
      replica.awaitReady();

      int arrived = play(arrivals, replica);

      report(trace, arrived, replica, audit);
      assertThat(replica.peakResidentMebibytes())
          .as("resident memory in MiB; a container with more than its limit is killed")
          .isLessThanOrEqualTo(Replicas.MEMORY);
      assertThat(pods.evictions()).as("evictions").isNotEmpty();
      assertThat(pods.evictions())
          .as("pods that worked, or were idle for less than allowed")
          .allSatisfy(
              eviction ->
                  assertThat(eviction.idleFor())
                      .hasValueSatisfying(
                          idle -> assertThat(idle).isGreaterThanOrEqualTo(IDLE_AFTER)));
    } finally {
      pods.all().forEach(pod -> pods.deletes(pod.getMetadata().getName()));
      TracedApiObjects.deleteAll(client, namespace);
    }
  }

  private void awaitNodes(WorkloadTrace trace) {
    together(nodes(trace), node -> TracedApiObjects.create(client, node));
    await("KWOK made all nodes ready")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(2))
        .until(
            () -> {
              programs.forEach(NodeProcess::requireRunning);
              return client.nodes().withLabel(TracedApiObjects.LABEL).list().getItems().stream()
                  .allMatch(
                      node ->
                          node.getSpec().getTaints().isEmpty()
                              && node.getStatus().getConditions().stream()
                                  .anyMatch(ready -> ready.getStatus().equals("True")));
            });
  }

  private static List<NodeSpec> nodes(WorkloadTrace trace) {
    return TracedObjects.nodes(trace).stream().limit(NODES).toList();
  }

  /** Creates all of them, several at a time. */
  private static <T> void together(List<T> some, Consumer<T> create) {
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      some.stream()
          .map(each -> CompletableFuture.runAsync(() -> create.accept(each), threads))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }

  /**
   * Creates pods until they request all GPUs; the others arrive later. The scheduler of the
   * simulation places these, because kube-scheduler takes long for so many.
   */
  private Deque<Arrival> fill(WorkloadTrace trace) {
    int allGpus =
        trace.nodes().stream().limit(NODES).mapToInt(WorkloadTrace.TracedNode::gpus).sum();
    int room = allGpus;
    Deque<TracedWorkload> workloads = new ArrayDeque<>(trace.workloads());
    List<PodSpec> first = new ArrayList<>();
    int last = 0;
    while (room > 0 && !workloads.isEmpty()) {
      TracedWorkload workload = workloads.remove();
      first.addAll(TracedObjects.pods(workload));
      room -= workload.gpus();
      last = workload.arrival();
    }
    Map<String, String> places = placed(nodes(trace), first);
    together(
        first,
        pod ->
            create(
                new PodBuilder(TracedApiObjects.pod(namespace, pod))
                    .editSpec()
                    .withNodeName(places.get(pod.name()))
                    .endSpec()
                    .build()));
    awaitAnswers(first.size());
    int bound =
        pods.all().stream()
            .filter(pod -> pod.getSpec().getNodeName() != null)
            .mapToInt(TracedApiObjects::gpus)
            .sum();
    // GPUs that are free because their node lacks CPU or memory.
    List<PodSpec> fillers =
        IntStream.range(0, allGpus - bound)
            .mapToObj(free -> PodSpec.bare(namespace, "filler-" + free, 1))
            .toList();
    together(fillers, this::create);
    awaitAnswers(first.size() + fillers.size());
    return arrivals(workloads, last);
  }

  /** The node of each pod that has room on one. */
  private static Map<String, String> placed(List<NodeSpec> nodes, List<PodSpec> pods) {
    var simulated = new SimulatedCluster(Clock.systemUTC());
    pods.stream()
        .map(PodSpec::namespace)
        .distinct()
        .forEach(name -> simulated.addNamespace(name, Map.of()));
    nodes.forEach(simulated::addNode);
    pods.forEach(simulated::submit);
    simulated.tick();
    Map<String, String> places = new HashMap<>();
    for (PodView pod : simulated.view().pods()) {
      pod.node().ifPresent(node -> places.put(pod.ref().name(), node));
    }
    return places;
  }

  private void awaitAnswers(int created) {
    await("the scheduler answered all pods, and those with a node run")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              programs.forEach(NodeProcess::requireRunning);
              return pods.all().stream()
                      .filter(TracedApiObjects::isAnswered)
                      .filter(
                          pod ->
                              pod.getSpec().getNodeName() == null
                                  || pod.getStatus().getPhase().equals("Running"))
                      .count()
                  == created;
            });
  }

  private static Deque<Arrival> arrivals(Deque<TracedWorkload> workloads, int from) {
    Deque<Arrival> arrivals = new ArrayDeque<>();
    int number = 0;
    for (TracedWorkload workload : workloads) {
      Duration after = Duration.ofMillis((workload.arrival() - from) * 1_000L / SPEED);
      PodSpec traced = TracedObjects.pods(workload).getFirst();
      // Pods without requests lack GPUs alone: a full node may lack CPU as well.
      PodSpec pod = number % 2 == 0 ? traced.withRequests(ComputeResources.NONE) : traced;
      if (++number % GANG_EVERY == 0) {
        String gang = "gang-" + number;
        for (int member = 0; member < GANG_SIZE; member++) {
          arrivals.add(
              new Arrival(
                  after,
                  pod.named(gang + "-" + member)
                      .withLabels(Map.of("scheduling.x-k8s.io/pod-group", gang))));
        }
      } else {
        arrivals.add(new Arrival(after, pod));
      }
    }
    return arrivals;
  }

  private void create(PodSpec pod) {
    create(TracedApiObjects.pod(namespace, pod));
  }

  private void create(Pod pod) {
    client.resource(pod).create();
  }

  /** Plays, and returns how many pods arrived. */
  private int play(Deque<Arrival> arrivals, Replica replica) {
    Instant began = Instant.now();
    List<Arrival> arrived = new ArrayList<>();
    await("the play is over")
        .atMost(PLAYED.plus(LIMIT))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              programs.forEach(NodeProcess::requireRunning);
              Duration now = Duration.between(began, Instant.now());
              while (!arrivals.isEmpty() && arrivals.element().after().compareTo(now) <= 0) {
                create(arrivals.element().pod());
                arrived.add(arrivals.remove());
              }
              pods.step();
              feasibility.sample(pending(replica), Instant.now());
              return now.compareTo(PLAYED) >= 0;
            });
    return arrived.size();
  }

  private static JsonNode pending(Replica replica) {
    try {
      return JSON.readTree(replica.get("/api/v1/pending").body()).path("pending");
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void report(WorkloadTrace trace, int arrived, Replica replica, AuditLog audit) {
    Map<String, Long> requests = new TreeMap<>();
    audit.of(replica).forEach(entry -> requests.merge(entry.deed(), 1L, Long::sum));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("trace", trace.description());
    result.put("nodes", Math.min(NODES, trace.nodes().size()));
    result.put("pods", pods.all().size());
    result.put("seconds", PLAYED.toSeconds());
    result.put("arrivedPods", arrived);
    result.put("evictions", pods.evictions().size());
    result.put(
        "evictionsOfActivePods",
        pods.evictions().stream().filter(each -> each.idleFor().isEmpty()).count());
    result.put(
        "shortestIdleSeconds",
        pods.evictions().stream()
            .flatMap(each -> each.idleFor().stream())
            .min(Comparator.naturalOrder())
            .map(Duration::toSeconds)
            .orElse(0L));
    result.put("comparedPendingPods", feasibility.compared());
    result.put("disagreements", feasibility.disagreements());
    result.put("disagreementsByOutcome", feasibility.disagreementsByOutcome());
    result.put("outcomes", feasibility.counts());
    result.put("examples", feasibility.examples());
    result.put("peakResidentMebibytes", replica.peakResidentMebibytes());
    result.put("cpuSeconds", replica.cpuTime().toSeconds());
    result.put("requests", requests);
    String json = Serialization.asJson(result);
    System.out.println(json);
    try {
      Files.createDirectories(RESULTS);
      Files.writeString(RESULTS.resolve(NODES + "-nodes.json"), json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
