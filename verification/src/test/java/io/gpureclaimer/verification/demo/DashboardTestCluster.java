package io.gpureclaimer.verification.demo;

import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.deviceplugin.kubelet.FakeKubelet;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.verification.demo.Program.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Everything that there is to be seen, at once: busy and idle GPUs, GPUs with faults, GPUs that MIG
 * has divided, an agent that asks a kubelet, a reclaimer that evicts, a pending pod; all of it
 * scraped by a real Prometheus with our rules, in each of the ways in which people scrape.
 */
final class DashboardTestCluster implements AutoCloseable {
  static final String FAULTY_NODE = "node-a";
  static final String DIVIDED_NODE = "node-b";
  static final String KUBELET_NODE = "node-c";

  /** Its agent serves the counters of dashboards.csv; all others serve the default ones. */
  static final String DETAILED_NODE = "node-d";

  static final String NAMESPACE = "research";

  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final String SCRIPT =
      """
      - {gpu: 0, utilization: 80, memory-used-mib: 40000}
      - {gpu: 1, utilization: 0, memory-used-mib: 20000}
      - {gpu: 2, utilization: 0}
      - {gpu: 3, utilization: 0}
      - {gpu: 5, xids: [{code: 13, after: 1s}, {code: 48, after: 2s}]}
      - {gpu: 7, fault: lost}
      """;

  private final List<Runnable> parts;
  private final HttpClient http = HttpClient.newHttpClient();
  private final SimulatedCluster cluster = new SimulatedCluster(Clock.systemUTC());
  private final DemoNode faulty;
  private final URI prometheus;
  private final URI renaming;

  private DashboardTestCluster(Path folder, Path binary, List<Runnable> parts)
      throws IOException, InterruptedException {
    this.parts = parts;
    faulty = node(FAULTY_NODE, "h100x8", exporter(), folder);
    DemoNode divided = node(DIVIDED_NODE, "h100x8-mig", exporter(), folder);
    DemoNode detailed = node(DETAILED_NODE, "h100x8", detailedExporter(), folder);
    faulty.play("[]\n", SCRIPT);
    divided.play(instanceHeld(divided), "[]\n");
    furnish();
    URI ofAKubelet = agentOfAKubelet(folder);
    int reclaimer = FreePorts.anyFree();
    String configuration =
        configuration(
            faulty.metrics(), divided.metrics(), ofAKubelet, detailed.metrics(), reclaimer);
    prometheus = prometheus("prometheus", binary, configuration, folder);
    renaming = prometheus("renaming", binary, renaming(configuration), folder);
    startReclaimer(reclaimer);
  }

  /** Starts all of it, or nothing. */
  static DashboardTestCluster open(Path folder, Path binary)
      throws IOException, InterruptedException {
    var parts = new ArrayList<Runnable>();
    try {
      return new DashboardTestCluster(folder, binary, parts);
    } catch (IOException | IllegalStateException e) {
      close(parts);
      throw e;
    }
  }

  URI prometheus() {
    return prometheus;
  }

  /** The same targets, scraped by a Prometheus that honors no label of an agent. */
  URI renaming() {
    return renaming;
  }

  /** The faulty node's page for people. */
  URI status() {
    return faulty.metrics().resolve("/status");
  }

  /** Writes the current holders for the agent. */
  void moveOn() throws IOException {
    cluster.tick();
    faulty.play(
        cluster.holders().stream()
            .map(
                holder ->
                    held(
                        holder.device().toString(),
                        holder.pod().namespace(),
                        holder.pod().name(),
                        holder.pod().uid()))
            .collect(Collectors.joining()),
        SCRIPT);
  }

  private DemoNode node(String name, String profile, List<String> command, Path folder)
      throws IOException, InterruptedException {
    DemoNode node = DemoNode.start(name, Optional.of(profile), command, folder, http);
    parts.add(node::close);
    return node;
  }

  private static List<String> exporter() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "@" + REPOSITORY.resolve("exporter/src/main/jvm/jvm.options"),
        "-jar",
        REPOSITORY.resolve("exporter/target/gpu-exporter.jar").toString());
  }

  private static List<String> detailedExporter() {
    var command = new ArrayList<>(exporter());
    command.addAll(
        List.of("--collectors", REPOSITORY.resolve("deploy/counters/dashboards.csv").toString()));
    return command;
  }

  private String instanceHeld(DemoNode divided) throws IOException, InterruptedException {
    String gpu =
        get(divided.metrics())
            .lines()
            .filter(line -> line.startsWith("DCGM_FI_DEV_FB_USED{") && line.contains("GPU_I_ID"))
            .findFirst()
            .orElseThrow();
    String device = "MIG-" + label(gpu, "UUID") + "/" + label(gpu, "GPU_I_ID") + "/0";
    return held(device, NAMESPACE, "small-0", "uid-of-small-0");
  }

  private static String held(String device, String namespace, String pod, String uid) {
    return "- {device: "
        + device
        + ", namespace: "
        + namespace
        + ", pod: "
        + pod
        + ", container: main, uid: "
        + uid
        + "}\n";
  }

  private static String label(String line, String name) {
    int from = line.indexOf(name + "=\"") + name.length() + 2;
    return line.substring(from, line.indexOf('"', from));
  }

  /**
   * Pods of one node: one is active, one is evicted, one is warned and stays, and one has an owner
   * that is reclaimed; one pod is pending until two of them are gone, and another one stays
   * pending.
   */
  private void furnish() throws IOException, InterruptedException {
    cluster.addNode(
        new NodeSpec(
            FAULTY_NODE,
            faulty.scrape().stream().map(DemoNode.ScrapedGpu::uuid).toList(),
            Map.of(),
            List.of()));
    cluster.addNamespace(NAMESPACE, Map.of(Annotations.MODE, "always"));
    cluster.addNamespace("sandbox", Map.of(Annotations.MODE, "on-demand"));
    cluster.submit(PodSpec.bare(NAMESPACE, "busy", 1));
    cluster.submit(PodSpec.bare(NAMESPACE, "forgotten", 1));
    cluster.submit(PodSpec.bare("sandbox", "try-out", 1));
    cluster.submit(
        PodSpec.bare(NAMESPACE, "chat-7d9f-k2x8p", 1)
            .ownedBy(OwnerSpec.ofDeployment("chat", "7d9f")));
    cluster.submit(PodSpec.bare(NAMESPACE, "wide", 5));
    cluster.submit(PodSpec.bare(NAMESPACE, "larger-than-any-node", 16));
    moveOn();
  }

  private URI agentOfAKubelet(Path folder) throws InterruptedException {
    var kubelet = new FakeKubelet(folder.resolve("kubelet.sock"));
    parts.add(kubelet::close);
    kubelet.run(FakeKubelet.pod("serving", "chat-0", "nvidia0"));
    kubelet.start();
    var address = URI.create("http://127.0.0.1:" + FreePorts.anyFree());
    var command = new ArrayList<>(exporter());
    command.addAll(
        List.of(
            "--address",
            address.getAuthority(),
            "--simulate",
            "t4x4",
            "--kubernetes",
            "--pod-resources-kubelet-socket",
            folder.resolve("kubelet.sock").toString()));
    var agent = Program.start("exporter-c", command, Map.of("NODE_NAME", KUBELET_NODE), folder);
    parts.add(agent::close);
    agent.awaitReady(address.resolve("/ready"), http);
    return address;
  }

  /** One agent's target has no pod; those of the others have one, as the operator gives it. */
  private static String configuration(
      URI faulty, URI divided, URI ofAKubelet, URI detailed, int reclaimer) {
    return """
    global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
    rule_files: [RULES/alerts.yaml, RULES/recording.yaml]
    scrape_configs:
      - job_name: gpu-exporter
        honor_labels: true
        static_configs: [{targets: ["FAULTY", "DETAILED"]}]
      - job_name: gpu-exporter-renamed
        honor_labels: false
        static_configs:
          - targets: ["DIVIDED"]
            labels: {namespace: gpu-exporter, pod: gpu-exporter-b, container: exporter}
      - job_name: gpu-exporter-operator
        honor_labels: true
        static_configs:
          - targets: ["KUBELET"]
            labels: {namespace: gpu-exporter, pod: gpu-exporter-c, container: exporter}
      - job_name: gpu-reclaimer
        honor_labels: true
        static_configs: [{targets: ["127.0.0.1:RECLAIMER"]}]
    """
        .replace("RULES", REPOSITORY.resolve("deploy/rules").toString())
        .replace("FAULTY", faulty.getAuthority())
        .replace("DIVIDED", divided.getAuthority())
        .replace("DETAILED", detailed.getAuthority())
        .replace("KUBELET", ofAKubelet.getAuthority())
        .replace("RECLAIMER", Integer.toString(reclaimer));
  }

  /** Without honor_labels for agents, and with the labels that the operator gives a target. */
  private static String renaming(String configuration) {
    return configuration
        .replace("/recording.yaml", "/recording-exported.yaml")
        .replaceAll("(job_name: gpu-exporter.*\\n +)honor_labels: true", "$1honor_labels: false")
        .replaceAll(
            "static_configs: \\[\\{(targets: \\[\"[^\\]]+\", \"[^\\]]+\"\\])}]",
            "static_configs: [{$1, labels: {namespace: gpu-exporter, pod: gpu-exporter-a, container: exporter}}]");
  }

  private URI prometheus(String name, Path binary, String text, Path folder)
      throws IOException, InterruptedException {
    Path configuration = Files.writeString(folder.resolve(name + ".yml"), text);
    var address = URI.create("http://127.0.0.1:" + FreePorts.anyFree());
    Program server =
        Program.start(
            name,
            List.of(
                binary.toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve(name),
                "--web.listen-address=" + address.getAuthority()),
            Map.of(),
            folder);
    parts.add(server::close);
    server.awaitReady(address.resolve("/-/ready"), http);
    return address;
  }

  private void startReclaimer(int port) {
    Map<String, Object> properties =
        Map.ofEntries(
            Map.entry("micronaut.server.host", "127.0.0.1"),
            Map.entry("micronaut.server.port", port),
            Map.entry("reclaimer.cluster", "embedded"),
            Map.entry("reclaimer.schedule", "true"),
            Map.entry("reclaimer.interval", "1s"),
            Map.entry("policy.idle-after", "6s"),
            Map.entry("policy.min-idle-after", "2s"),
            Map.entry("policy.warn-before", "2s"),
            Map.entry("policy.min-warn-before", "1s"),
            Map.entry("policy.startup-grace", "0s"),
            Map.entry("evidence.signals.kinds", List.of("pcie")),
            Map.entry("plan.max-evictions-per-hour", "1000000"),
            Map.entry("plan.max-namespace-evictions-per-hour", "1000000"),
            Map.entry("plan.max-owner-evictions-per-day", "1000000"),
            Map.entry("plan.max-gpu-share-per-hour", "1"),
            Map.entry("breaker.min-coverage", "0"),
            Map.entry("breaker.max-idle-jump", "1"),
            Map.entry("breaker.settle-after-start", "0s"),
            Map.entry("breaker.source-settles", "0s"),
            Map.entry("prometheus.url", prometheus.toString()));
    var leadership = SimulatedLeadership.alone("exhibition");
    switch (Service.start("gpu-reclaimer", properties, cluster, leadership)) {
      case Service.Running service -> parts.add(service::close);
      case Service.Misconfigured(String problem) -> throw new IllegalStateException(problem);
      case Service.NotListening(String problem) -> throw new IllegalStateException(problem);
    }
  }

  String get(URI address) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Override
  public void close() {
    close(parts);
  }

  private static void close(List<Runnable> parts) {
    parts.reversed().forEach(Runnable::run);
  }
}
