package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.verification.demo.Program;
import io.gpureclaimer.verification.demo.Program.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Agent that is checked: a process of its own, with our counters file and our allocations. */
final class CheckedAgent implements AutoCloseable {
  static final String LAST_PASS = "gpu_exporter_last_pass_timestamp_seconds";
  static final String DRIVER_UP = "gpu_exporter_driver_up";
  static final List<String> TEXTS =
      List.of("DCGM_FI_DRIVER_VERSION", "DCGM_FI_DEV_SERIAL", "DCGM_FI_DEV_VBIOS_VERSION");

  /** What nvidia-smi has no field for, and what the agent serves by default. */
  private static final List<String> OTHERS =
      List.of(
          EnergyComparison.METRIC,
          "DCGM_FI_DEV_PCIE_REPLAY_COUNTER",
          "DCGM_FI_DEV_XID_ERRORS",
          "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
          "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS",
          "DCGM_FI_DEV_ROW_REMAP_FAILURE",
          "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
          "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
          "DCGM_FI_PROF_SM_ACTIVE",
          "DCGM_FI_PROF_SM_OCCUPANCY",
          "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
          "DCGM_FI_PROF_DRAM_ACTIVE",
          "DCGM_FI_PROF_PCIE_TX_BYTES",
          "DCGM_FI_PROF_PCIE_RX_BYTES");

  private static final Duration PASS_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Program program;
  private final HttpClient http;
  private final HttpRequest request;
  private final Path pods;
  private final Clock clock;

  private CheckedAgent(Program program, HttpClient http, URI metrics, Path pods, Clock clock) {
    this.program = program;
    this.http = http;
    this.request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(10)).build();
    this.pods = pods;
    this.clock = clock;
  }

  /** Starts it and waits for its first answer. */
  static CheckedAgent start(List<String> command, Path folder, Clock clock)
      throws IOException, InterruptedException {
    Path pods = Files.writeString(folder.resolve("pods.yaml"), "[]\n");
    Path counters = Files.writeString(folder.resolve("counters.csv"), counters());
    var arguments = new ArrayList<>(command);
    String address = "127.0.0.1:" + FreePorts.anyFree();
    arguments.addAll(List.of("--address", address));
    arguments.addAll(List.of("--collectors", counters.toString(), "--pods-file", pods.toString()));
    Program program = Program.start("agent", arguments, Map.of(), folder);
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    URI metrics = URI.create("http://" + address + "/metrics");
    var agent = new CheckedAgent(program, http, metrics, pods, clock);
    try {
      program.awaitReady(metrics, http);
    } catch (IllegalStateException e) {
      agent.close();
      throw e;
    }
    return agent;
  }

  private static String counters() {
    var metrics = new LinkedHashSet<String>();
    ComparedField.NUMBERS.forEach(field -> metrics.add(field.metric()));
    metrics.addAll(OTHERS);
    return metrics.stream()
            .map(metric -> metric + ", gauge, " + metric + "\n")
            .collect(Collectors.joining())
        + TEXTS.stream()
            .map(text -> text + ", label, " + text + "\n")
            .collect(Collectors.joining());
  }

  long pid() {
    return program.pid();
  }

  /**
   * Scrapes it.
   *
   * @throws IllegalStateException if the agent answers with another code than 200
   */
  Scrape scrape() throws IOException, InterruptedException {
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException("expected 200 from the agent, found " + answer.statusCode());
    }
    return Scrape.parse(answer.body(), clock.instant());
  }

  /** Scrapes it without reading the answer; false if that fails. */
  boolean answers() throws InterruptedException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  /** First scrape of a pass that began later; the last one if none begins in half a minute. */
  Scrape scrapeOfPassAfter(Instant then) throws IOException, InterruptedException {
    Instant limit = clock.instant().plus(PASS_LIMIT);
    double seconds = then.toEpochMilli() / 1_000.0;
    Scrape scrape = scrape();
    while (scrape.sum(LAST_PASS).orElse(0) <= seconds && scrape.at().isBefore(limit)) {
      Thread.sleep(POLL);
      scrape = scrape();
    }
    return scrape;
  }

  /** First scrape with a driver and its GPUs; the last one if there is none in the given time. */
  Scrape scrapeWithDriver(Duration time) throws IOException, InterruptedException {
    Instant limit = clock.instant().plus(time);
    Scrape scrape = scrape();
    while (scrape.gpus().isEmpty() && scrape.at().isBefore(limit)) {
      Thread.sleep(POLL);
      scrape = scrape();
    }
    return scrape;
  }

  /** Allocates each GPU to a pod of its own. */
  void allocate(Set<String> gpus) throws IOException {
    var lines = new StringBuilder();
    int number = 0;
    for (String gpu : gpus) {
      lines.append(
          "- {device: " + gpu + ", namespace: gpu-pack, pod: load-" + number + ", container: x}\n");
      number++;
    }
    Path next = Files.writeString(pods.resolveSibling("pods.next"), lines);
    Files.move(next, pods, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() {
    program.close();
  }
}
