package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The whole agent: real server, simulated driver, files. */
class GpuExporterIT {
  private static final int GPUS = 8;
  private static final Pattern UUID = Pattern.compile("gpu=\"(\\d)\",UUID=\"(GPU-[^\"]+)\"");

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  @TempDir Path folder;
  private Path script;
  private Path pods;
  private Service.@Nullable Running agent;

  @BeforeEach
  void prepare() throws IOException {
    script = folder.resolve("script.yaml");
    pods = folder.resolve("pods.yaml");
    Files.writeString(script, "[]\n");
    Files.writeString(pods, "[]\n");
  }

  @AfterEach
  void stop() throws IOException {
    Files.writeString(script, "[]\n");
    if (agent != null) {
      agent.close();
    }
  }

  @Test
  void servesEveryFieldOfEveryGpu() throws Exception {
    start();
    awaitScrape("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL{");

    var response = get("/metrics");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
    for (var counter : ClassicCounters.set().counters()) {
      assertThat(seriesOf(response.body(), counter.name())).as(counter.name()).hasSize(GPUS);
    }
    assertThat(response.body())
        .contains("hostname=\"node-a\"", "gpu_exporter_driver_up 1.0")
        .doesNotContain("namespace=", "gpu_pod_");
  }

  @Test
  void answersInOpenMetrics_onlyIfItIsOfferedAndAskedFor() throws Exception {
    start(Map.of("simulation.profile", "h100x8", "web.openmetrics", true));
    awaitScrape("DCGM_FI_DEV_GPU_UTIL{");

    var asked = getAccepting("application/openmetrics-text");
    assertThat(asked.statusCode()).isEqualTo(200);
    assertThat(asked.headers().firstValue("Content-Type"))
        .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
    assertThat(asked.headers().firstValue("Vary")).hasValue("Accept, Accept-Encoding");
    assertThat(StrictOpenMetrics.parse(asked.body().getBytes(StandardCharsets.UTF_8)))
        .hasSizeGreaterThan(40);
    assertThat(get("/metrics").headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    stop();

    start(Map.of("simulation.profile", "h100x8"));
    var notOffered = getAccepting("application/openmetrics-text, */*;q=0.1");
    assertThat(notOffered.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(notOffered.headers().firstValue("Vary")).hasValue("Accept-Encoding");
  }

  @Test
  void servesTheSameCompressed() throws Exception {
    start();
    awaitScrape("DCGM_FI_DEV_GPU_UTIL{");

    var request = request("/metrics").header("Accept-Encoding", "gzip").build();
    var response = client.send(request, BodyHandlers.ofByteArray());

    assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(response.headers().firstValue("Vary")).hasValue("Accept-Encoding");
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      String text = new String(unpacked.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(seriesOf(text, "DCGM_FI_DEV_GPU_UTIL")).hasSize(GPUS);
    }
  }

  @Test
  void reportsThatItLivesAndIsReady() throws Exception {
    start();
    assertThat(get("/health")).extracting(HttpResponse::statusCode).isEqualTo(200);
    assertThat(get("/health").body()).isEqualTo("OK");
    await().until(() -> get("/ready").statusCode() == 200);
    assertThat(get("/").body()).contains("<a href=\"metrics\">");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nope", "/metrics/x", "/favicon.ico"})
  void answersInOnePlainLine_whenThereIsNothing(String path) throws Exception {
    start();
    var request = request(path).header("Accept", "text/html,*/*").build();
    var response = client.send(request, BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).isEqualTo("404 Not Found\n");
    assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
  }

  @Test
  void refusesToBeWrittenTo() throws Exception {
    start();
    var request = request("/metrics").POST(HttpRequest.BodyPublishers.ofString("x")).build();
    var response = client.send(request, BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.body()).isEqualTo("405 Method Not Allowed\n");
  }

  @Test
  void attributesDevicesToPods_andKeepsALedger() throws Exception {
    Files.writeString(script, "- {gpu: 0, utilization: 100}\n");
    start();
    String uuid = uuidOf(awaitScrape("DCGM_FI_DEV_GPU_UTIL{"), 0);
    Files.writeString(pods, entry(uuid, "train-0"));

    String scrape = awaitScrape("gpu_pod_last_active_timestamp_seconds{");

    String labels =
        "{UUID=\""
            + uuid
            + "\",gpu=\"0\",hostname=\"node-a\",container=\"main\",namespace=\"ml\",pod=\"train-0\","
            + "pod_uid=\"uid-train-0\"} ";
    assertThat(seriesOf(scrape, "gpu_pod_last_active_timestamp_seconds"))
        .singleElement()
        .asString()
        .contains(labels);
    assertThat(seriesOf(scrape, "gpu_pod_observed_since_timestamp_seconds")).hasSize(1);
    assertThat(seriesOf(scrape, "gpu_pod_observed_until_timestamp_seconds")).hasSize(1);
    assertThat(seriesOf(scrape, "DCGM_FI_DEV_GPU_UTIL"))
        .filteredOn(line -> line.contains("container=\"main\",namespace=\"ml\",pod=\"train-0\"}"))
        .singleElement()
        .asString()
        .endsWith(" 100");
    assertThat(scrape).contains("gpu_exporter_pods_file_last_reload_successful 1.0");
  }

  @Test
  void keepsTheLastGoodPods_whenTheirFileTurnsBad() throws Exception {
    start();
    String uuid = uuidOf(awaitScrape("DCGM_FI_DEV_GPU_UTIL{"), 0);
    Files.writeString(pods, entry(uuid, "train-0"));
    awaitScrape("pod=\"train-0\"");
    Files.writeString(pods, "- {device: 1");

    assertThat(awaitScrape("gpu_exporter_pods_file_last_reload_successful 0.0"))
        .contains("pod=\"train-0\"");
    Files.writeString(pods, entry(uuid, "train-1"));
    assertThat(awaitScrape("gpu_exporter_pods_file_last_reload_successful 1.0"))
        .contains("pod=\"train-1\"")
        .doesNotContain("train-0");
  }

  @Test
  void servesTheOtherSeven_whenAGpuIsLost() throws Exception {
    start();
    String uuid = uuidOf(awaitScrape("DCGM_FI_DEV_GPU_UTIL{"), 3);
    Files.writeString(pods, entry(uuid, "train-0"));
    awaitScrape("gpu_pod_observed_since");
    Files.writeString(script, "- {gpu: 3, fault: lost}\n");

    String scrape = awaitScrape("gpu_exporter_gpu_up{gpu=\"3\",UUID=\"" + uuid + "\",} 0.0");

    assertThat(devicesOf(scrape)).containsExactly("0", "1", "2", "4", "5", "6", "7");
    assertThat(scrape)
        .contains("gpu_exporter_nvml_errors_total{gpu=\"3\",call=\"nvml", "code=\"gpu_is_lost\",}")
        .doesNotContain("gpu_pod_observed", "gpu_pod_last_active");
    assertThat(get("/ready").statusCode()).isEqualTo(200);
  }

  /** The alert of most clusters is {@code DCGM_FI_DEV_XID_ERRORS == 79}. */
  @Test
  void servesXid79OfALostGpuWithItsPod_andNoReading() throws Exception {
    start();
    String uuid = uuidOf(awaitScrape("DCGM_FI_DEV_GPU_UTIL{"), 3);
    Files.writeString(pods, entry(uuid, "train-0"));
    awaitScrape("gpu_pod_observed_since");
    Files.writeString(script, "- {gpu: 3, fault: lost}\n");

    String scrape = awaitScrape("gpu_exporter_gpu_up{gpu=\"3\",UUID=\"" + uuid + "\",} 0.0");

    assertThat(scrape.lines().filter(it -> it.startsWith("DCGM_") && it.contains(uuid)))
        .singleElement()
        .asString()
        .matches(
            "DCGM_FI_DEV_XID_ERRORS\\{gpu=\"3\",UUID=\""
                + uuid
                + "\",pci_bus_id=\"[0-9A-F:.]+\",device=\"nvidia3\",modelName=\"[^\"]+\",hostname=\"[^\"]+\""
                + ".*,container=\"[^\"]+\",err_code=\"79\",err_msg=\"GPU has fallen off the bus\""
                + ",namespace=\"[^\"]+\",pod=\"train-0\".*} 79");
    assertThat(scrape.lines().filter(it -> it.startsWith("gpu_exporter_gpu_down{")))
        .singleElement()
        .asString()
        .contains("reason=\"lost\",modelName=\"", "pci_bus_id=\"", "pod=\"train-0\"");
  }

  @Test
  void servesTheOtherSeven_whenAGpuWasLostBeforeTheStart() throws Exception {
    Files.writeString(script, "- {gpu: 3, fault: lost}\n");
    start();

    String scrape = awaitScrape("gpu_exporter_gpu_up{gpu=\"3\",UUID=\"unknown\",} 0.0");

    assertThat(devicesOf(scrape)).containsExactly("0", "1", "2", "4", "5", "6", "7");
  }

  @Test
  void servesTheOtherSeven_whileAGpuHangs_andAllAfterwards() throws Exception {
    start();
    awaitScrape("DCGM_FI_DEV_GPU_UTIL{");
    Files.writeString(script, "- {gpu: 5, fault: hang}\n");

    String scrape = awaitScrape("gpu_exporter_gpu_hung{gpu=\"5\",", "} 1.0");
    assertThat(devicesOf(scrape)).containsExactly("0", "1", "2", "3", "4", "6", "7");
    double passes = passes(scrape);
    await().until(() -> passes(get("/metrics").body()) > passes + 2);
    assertThat(get("/ready").statusCode()).isEqualTo(200);

    Files.writeString(script, "[]\n");
    await().until(() -> devicesOf(get("/metrics").body()).size() == GPUS);
    assertThat(seriesOf(get("/metrics").body(), "gpu_exporter_gpu_hung"))
        .allMatch(line -> line.endsWith(" 0.0"));
  }

  @Test
  void servesTheOtherSeven_whenAGpuHangsFromTheStart() throws Exception {
    Files.writeString(script, "- {gpu: 5, fault: hang}\n");
    start();

    awaitScrape("gpu_exporter_gpu_hung{gpu=\"5\",UUID=\"GPU-", "} 1.0");

    String scrape = awaitScrape("DCGM_FI_DEV_GPU_UTIL{");
    assertThat(devicesOf(scrape)).containsExactly("0", "1", "2", "3", "4", "6", "7");
  }

  @Test
  void reportsSelectionsThatMatchNothing_alikeInMetricsAndStatus() throws Exception {
    start(
        Map.of(
            "simulation.profile", "t4x4", "devices.gpus", "g:0,7", "devices.may-be-missing", true));
    awaitScrape("DCGM_FI_DEV_GPU_UTIL{");

    var metrics = get("/metrics").body();
    var status = new ObjectMapper().readTree(get("/status").body()).path("sampling");
    var rows = status.path("unservedRows").findValuesAsText("name");
    assertThat(rows).contains("DCGM_FI_PROF_GR_ENGINE_ACTIVE");
    assertThat(metrics).contains("gpu_exporter_unserved_rows " + (double) rows.size() + "\n");
    for (String row : rows) {
      assertThat(metrics).contains(unmatched("row", row));
    }
    assertThat(metrics).contains(unmatched("gpu", "g:7"));
    assertThat(status.path("components").toString())
        .contains("GPU 7 is selected and not there; there are 4 GPUs");
  }

  private static String unmatched(String kind, String selector) {
    return "gpu_exporter_selection_unmatched{kind=\""
        + kind
        + "\",selector=\""
        + selector
        + "\",} 1.0";
  }

  /** The built-in counters do not name the health family; the page judges by the same rules. */
  @Test
  void showsTheHealthOnThePage_whetherItIsServedOrNot() throws Exception {
    Files.writeString(script, "[{gpu: 1, fault: nvlink-down}]\n");
    start();

    await()
        .untilAsserted(
            () -> {
              var devices =
                  new ObjectMapper().readTree(get("/status").body()).at("/sampling/devices");
              assertThat(devices.path(0).path("health").asText()).isEqualTo("healthy");
              assertThat(devices.path(1).path("health").asText()).isEqualTo("failing");
              assertThat(devices.path(1).path("healthIssues").toString())
                  .isEqualTo("[\"NVLINK: DCGM_FR_NVLINK_DOWN\"]");
            });
    assertThat(get("/metrics").body()).doesNotContain("DCGM_EXP_GPU_HEALTH_STATUS{");
  }

  @Test
  void serves_whenThereIsNoDriver() throws Exception {
    start(Map.of("driver.library", folder.resolve("no-such.so").toString()));

    String scrape = awaitScrape("gpu_exporter_driver_up 0.0");

    assertThat(scrape)
        .contains("gpu_exporter_passes_total{outcome=\"driver_down\",}")
        .doesNotContain("DCGM_FI_", "gpu_exporter_gpu_up");
    var ready = get("/ready");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).startsWith("the driver is down: ").contains("no-such.so");
    assertThat(ready.body().lines()).hasSize(1);
    assertThat(get("/health").statusCode()).isEqualTo(200);
  }

  @Test
  void beginsNothingAgain_whenItStops() throws Exception {
    var said = new ListAppender<ILoggingEvent>();
    said.start();
    var transitions =
        (Logger) LoggerFactory.getLogger("io.gpureclaimer.exporter.schedule.TransitionLogger");
    transitions.addAppender(said);
    transitions.setLevel(Level.INFO);
    transitions.setAdditive(false);
    try {
      for (int times = 1; times <= 3; times++) {
        start();
        awaitScrape("DCGM_FI_DEV_GPU_UTIL{");
        stop();
        assertThat(said.list)
            .filteredOn(line -> line.getFormattedMessage().contains(" is up, with "))
            .hasSize(times);
      }
    } finally {
      transitions.detachAppender(said);
      transitions.setLevel(null);
      transitions.setAdditive(true);
    }
  }

  @Test
  void saysSo_whenThePortIsTaken() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var properties = properties();
      properties.put("micronaut.server.port", taken.getLocalPort());

      assertThat(Service.start("gpu-exporter", properties))
          .isEqualTo(
              new Service.NotListening(
                  "cannot listen on 127.0.0.1:"
                      + taken.getLocalPort()
                      + ": Address already in use"));
    }
  }

  @Test
  void saysSo_whenAPropertyIsUnknown() {
    var properties = properties();
    properties.put("sampling.intervall", "1s");

    assertThat(Service.start("gpu-exporter", properties))
        .isEqualTo(
            new Service.Misconfigured(
                "unknown property sampling.intervall in context;"
                    + " did you mean sampling.interval?"));
  }

  private void start() {
    start(Map.of("simulation.profile", "h100x8", "simulation.script", script.toString()));
  }

  private void start(Map<String, Object> driver) {
    var properties = properties();
    properties.putAll(driver);
    var started = Service.start("gpu-exporter", properties);
    assertThat(started).isInstanceOf(Service.Running.class);
    agent = (Service.Running) started;
  }

  private Map<String, Object> properties() {
    return new HashMap<>(
        Map.of(
            "micronaut.server.host", "127.0.0.1",
            "micronaut.server.port", 0,
            "sampling.interval", "100ms",
            "attribution.pods-file", pods.toString(),
            "node.name", "node-a"));
  }

  private String awaitScrape(String... parts) {
    return await()
        .until(
            () -> get("/metrics").body(),
            scrape -> scrape.lines().anyMatch(line -> containsAll(line, parts)));
  }

  private static boolean containsAll(String line, String... parts) {
    return Arrays.stream(parts).allMatch(line::contains);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> getAccepting(String types) throws IOException, InterruptedException {
    return client.send(
        request("/metrics").header("Accept", types).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    int port = Optional.ofNullable(agent).orElseThrow().port();
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(2));
  }

  private static List<String> seriesOf(String scrape, String family) {
    return scrape.lines().filter(line -> line.startsWith(family + "{")).toList();
  }

  private static List<String> devicesOf(String scrape) {
    return seriesOf(scrape, "DCGM_FI_DEV_POWER_USAGE").stream()
        .flatMap(line -> UUID.matcher(line).results())
        .map(found -> found.group(1))
        .toList();
  }

  private static String uuidOf(String scrape, int gpu) {
    return UUID.matcher(scrape)
        .results()
        .filter(found -> found.group(1).equals(Integer.toString(gpu)))
        .map((MatchResult found) -> found.group(2))
        .findFirst()
        .orElseThrow();
  }

  private static double passes(String scrape) {
    return scrape
        .lines()
        .filter(line -> line.startsWith("gpu_exporter_passes_total{outcome=\"partial\",} "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static String entry(String uuid, String pod) {
    return "- {device: %s, namespace: ml, pod: %s, container: main, uid: uid-%s}%n"
        .replace("%n", "\n")
        .replaceFirst("%s", uuid)
        .replace("%s", pod);
  }
}
