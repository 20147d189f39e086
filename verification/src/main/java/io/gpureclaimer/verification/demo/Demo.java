package io.gpureclaimer.verification.demo;

import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.NvmlLibrary;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.verification.demo.Program.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The product in two minutes on one machine. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Simulated GPU nodes with the real exporter, a real Prometheus where there is one, the real"
            + " reclaimer, a simulated cluster.")
public final class Demo implements Callable<Integer> {
  private static final String BIG_NODE = "gpu-node-a";
  private static final String SMALL_NODE = "gpu-node-b";

  @Option(names = "--stay", description = "Keep running after the last scene, until Ctrl-C.")
  boolean stay;

  @Option(names = "--plain", description = "Lines instead of a live picture.")
  boolean plain;

  @Option(names = "--direct", description = "Leave Prometheus out even where there is one.")
  boolean direct;

  Demo() {}

  /** Runs it; the exit code is 0 when everything went as it should. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Demo())
            .setExecutionExceptionHandler((problem, _, _) -> excuse(problem))
            .execute(args));
  }

  private static int excuse(Exception problem) {
    System.err.println("the demo cannot go on: " + problem.getMessage());
    return 1;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("gpu-reclaimer-demo");
    System.setProperty("demo.log", folder.resolve("reclaimer.log").toString());
    var closers = new ArrayList<Runnable>();
    var closer = new Thread(() -> closers.reversed().forEach(Runnable::run));
    Runtime.getRuntime().addShutdownHook(closer);
    System.out.println("starting the programs; their logs are in " + folder);
    return perform(folder, closers);
  }

  private int perform(Path folder, List<Runnable> closers)
      throws IOException, InterruptedException {
    HttpClient http = HttpClient.newHttpClient();
    Clock clock = Clock.systemUTC();
    List<DemoNode> nodes = nodes(folder, http, closers);
    List<URI> exporters = nodes.stream().map(DemoNode::metrics).toList();
    var cluster = new SimulatedCluster(clock);
    DemoEnvironment.furnish(cluster, nodes, BIG_NODE, SMALL_NODE);
    int port = FreePorts.freeNear(8080);
    Optional<PrometheusServer> prometheus =
        prometheus(scraped(exporters, port), folder, http, closers);
    Service.Running reclaimer =
        reclaimer(properties(port, prometheus, exporters), cluster, closers);
    var stage = new DemoEnvironment(nodes, cluster, reclaimer, clock);
    stage.begin();
    var screen = Screen.on(System.out, plain);
    List<String> addresses = addresses(nodes, prometheus, port);
    while (stay || stage.elapsed().compareTo(Scenario.END) < 0) {
      screen.show(stage.advance(), addresses);
      Thread.sleep(Duration.ofSeconds(1));
    }
    return screen.end(stage.advance(), stage.history().complaints());
  }

  private static List<DemoNode> nodes(Path folder, HttpClient http, List<Runnable> closers)
      throws IOException, InterruptedException {
    var nodes = new ArrayList<DemoNode>();
    nodes.add(DemoNode.start(BIG_NODE, Optional.of("h100x8"), exporter(), folder, http));
    closers.add(nodes.getLast()::close);
    nodes.add(DemoNode.start(SMALL_NODE, Optional.of("t4x4"), exporter(), folder, http));
    closers.add(nodes.getLast()::close);
    if (driverIsHere()) {
      nodes.add(DemoNode.start("this-machine", Optional.empty(), exporter(), folder, http));
      closers.add(nodes.getLast()::close);
    }
    return nodes;
  }

  private static List<String> exporter() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "@" + Path.of("exporter", "src", "main", "jvm", "jvm.options"),
        "-jar",
        Path.of("exporter", "target", "gpu-exporter.jar").toString());
  }

  /** Whether this machine has GPUs of its own to show. */
  private static boolean driverIsHere() {
    try (Nvml nvml = Nvml.open(NvmlLibrary.load(Optional.empty()))) {
      return nvml.deviceCount() > 0;
    } catch (NvmlException _) {
      return false;
    }
  }

  private static Map<String, List<URI>> scraped(List<URI> exporters, int reclaimer) {
    return Map.of(
        "gpu-exporter",
        exporters,
        "gpu-reclaimer",
        List.of(URI.create("http://127.0.0.1:" + reclaimer)));
  }

  private Optional<PrometheusServer> prometheus(
      Map<String, List<URI>> scraped, Path folder, HttpClient http, List<Runnable> closers)
      throws IOException, InterruptedException {
    Optional<Path> binary = direct ? Optional.empty() : PrometheusServer.binary();
    if (binary.isEmpty()) {
      return Optional.empty();
    }
    var server = PrometheusServer.start(binary.get(), scraped, folder, http);
    closers.add(server::close);
    return Optional.of(server);
  }

  private static Map<String, Object> properties(
      int port, Optional<PrometheusServer> prometheus, List<URI> exporters) {
    var properties = new HashMap<String, Object>();
    properties.put("micronaut.server.host", "127.0.0.1");
    properties.put("micronaut.server.port", port);
    properties.put("web.prices", List.of("NVIDIA H100 80GB HBM3=2.5", "Tesla T4=0.35"));
    properties.put("reclaimer.cluster", "embedded");
    properties.put("reclaimer.schedule", "true");
    properties.put("reclaimer.interval", "2s");
    properties.put("policy.idle-after", Scenario.IDLE_AFTER.toString());
    properties.put("policy.min-idle-after", "10s");
    properties.put("policy.startup-grace", "0s");
    // Power and memory look back for minutes, which is longer than a play may last.
    properties.put("evidence.signals.kinds", List.of("pcie", "nvlink"));
    properties.put("policy.warn-before", Scenario.WARN_BEFORE.toString());
    properties.put("policy.min-warn-before", "5s");
    properties.put("plan.pending-grace", "5s");
    properties.put("plan.max-evictions-per-hour", "1000000");
    properties.put("plan.max-namespace-evictions-per-hour", "1000000");
    properties.put("plan.max-owner-evictions-per-day", "1000000");
    properties.put("plan.max-gpu-share-per-hour", "1");
    properties.put("actions.demand-settles", Scenario.DEMAND_SETTLES.toString());
    properties.put("breaker.max-idle-jump", "1");
    properties.put("breaker.settle-after-start", "0s");
    properties.put("evidence.max-age", "30s");
    prometheus.ifPresentOrElse(
        server -> properties.put("prometheus.url", server.address().toString()),
        () -> properties.put("direct.agents", exporters.stream().map(URI::toString).toList()));
    return properties;
  }

  private static Service.Running reclaimer(
      Map<String, Object> properties, SimulatedCluster cluster, List<Runnable> closers) {
    var leadership = SimulatedLeadership.alone("demo");
    return switch (Service.start("gpu-reclaimer", properties, cluster, leadership)) {
      case Service.Running service -> {
        closers.add(service::close);
        yield service;
      }
      case Service.Misconfigured(String problem) ->
          throw new IllegalStateException("the reclaimer does not start: " + problem);
      case Service.NotListening(String problem) ->
          throw new IllegalStateException("the reclaimer does not start: " + problem);
    };
  }

  private static List<String> addresses(
      List<DemoNode> nodes, Optional<PrometheusServer> prometheus, int port) {
    var lines = new ArrayList<String>();
    lines.add("page, in a browser      http://127.0.0.1:" + port + "/ui");
    nodes.forEach(node -> lines.add("exporter of " + node.name() + "  " + node.metrics()));
    lines.add(
        prometheus
            .map(server -> "Prometheus              " + server.address())
            .orElse("no Prometheus here: the reclaimer asks the exporters directly"));
    return lines;
  }
}
