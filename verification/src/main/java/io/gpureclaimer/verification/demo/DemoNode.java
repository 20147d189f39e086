package io.gpureclaimer.verification.demo;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser.Parsed;
import io.gpureclaimer.verification.demo.Program.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One GPU node: the real exporter as a process of its own, over a simulated driver or a real one.
 */
final class DemoNode implements AutoCloseable {
  private static final String UTILIZATION = "DCGM_FI_DEV_GPU_UTIL";
  private static final String NO_PODS = "[]\n";

  private final String name;
  private final Path podsFile;
  private final Path scriptFile;
  private final URI metrics;
  private final Program exporter;
  private final HttpClient http;

  private DemoNode(
      String name, Path podsFile, Path scriptFile, URI metrics, Program exporter, HttpClient http) {
    this.name = name;
    this.podsFile = podsFile;
    this.scriptFile = scriptFile;
    this.metrics = metrics;
    this.exporter = exporter;
    this.http = http;
  }

  /**
   * Starts a node's exporter and waits for its first values.
   *
   * @param profile of the simulated driver; the machine's own driver if empty
   * @param java the command that starts the exporter, without its flags
   */
  static DemoNode start(
      String name, Optional<String> profile, List<String> java, Path folder, HttpClient http)
      throws IOException, InterruptedException {
    Path pods = folder.resolve(name + "-pods.yaml");
    Path script = folder.resolve(name + "-script.yaml");
    Files.writeString(pods, NO_PODS);
    Files.writeString(script, NO_PODS);
    int port = FreePorts.freeNear(9400);
    var command = new ArrayList<>(java);
    command.addAll(List.of("--address", "127.0.0.1:" + port, "--pods-file", pods.toString()));
    profile.ifPresent(
        simulated ->
            command.addAll(
                List.of("--simulate", simulated, "--simulate-script", script.toString())));
    var address = URI.create("http://127.0.0.1:" + port);
    Program exporter =
        Program.start("exporter-" + name, command, Map.of("NODE_NAME", name), folder);
    var node = new DemoNode(name, pods, script, address.resolve("/metrics"), exporter, http);
    try {
      exporter.awaitReady(address.resolve("/ready"), http);
    } catch (IllegalStateException e) {
      node.close();
      throw e;
    }
    return node;
  }

  String name() {
    return name;
  }

  URI metrics() {
    return metrics;
  }

  /**
   * One GPU as the exporter reports it.
   *
   * @param index its number on the node
   * @param holder namespace and name of the pod that the exporter says holds it
   */
  record ScrapedGpu(
      int index, GpuUuid uuid, String model, int utilizationPercent, Optional<String> holder) {}

  /** Scrapes the exporter. */
  List<ScrapedGpu> scrape() throws InterruptedException {
    try {
      var request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(2)).build();
      String text = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return switch (ExpositionParser.parse(text, Set.of(UTILIZATION), Instant.EPOCH)) {
        case Parsed.Samples(var samples) ->
            samples.stream()
                .map(DemoNode::gpu)
                .sorted(Comparator.comparingInt(ScrapedGpu::index))
                .toList();
        case Parsed.Malformed(int line, String why) ->
            throw new IllegalStateException(
                "the exporter of " + name + " wrote line " + line + " without " + why);
      };
    } catch (IOException e) {
      throw new IllegalStateException("the exporter of " + name + " does not answer", e);
    }
  }

  private static ScrapedGpu gpu(MetricSample sample) {
    Map<String, String> labels = sample.labels();
    String pod = labels.getOrDefault("pod", "");
    return new ScrapedGpu(
        Integer.parseInt(labels.getOrDefault("gpu", "")),
        new GpuUuid(labels.getOrDefault("UUID", "")),
        labels.getOrDefault("modelName", ""),
        (int) sample.value(),
        pod.isEmpty() ? Optional.empty() : Optional.of(labels.get("namespace") + "/" + pod));
  }

  /** Passes the holders to the exporter, and the activity of each GPU to the simulated driver. */
  void play(String pods, String script) throws IOException {
    replace(podsFile, pods);
    replace(scriptFile, script);
  }

  /** Moves the new text into place, so that no reader ever sees half of it. */
  private static void replace(Path file, String text) throws IOException {
    if (Files.readString(file).equals(text)) {
      return;
    }
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() {
    exporter.close();
  }
}
