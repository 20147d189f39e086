package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.core.kubelet.FakeDeviceManager;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as a device plugin, with simulated GPUs and a fake device manager. */
@Timeout(180)
class DevicePluginIT {
  private static final String GPU = "nvidia.com/gpu";
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final Pattern LISTENS = Pattern.compile("listens on 127\\.0\\.0\\.1:(\\d+)");

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

  @TempDir Path folder;
  private FakeDeviceManager kubelet;
  private @Nullable Process agent;
  private String surveyAfter = "200ms";
  private int port;

  @BeforeEach
  void prepare() throws IOException {
    kubelet = new FakeDeviceManager(Files.createDirectory(folder.resolve("dp")));
    kubelet.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (agent != null) {
      agent.destroy();
      assertThat(agent.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    kubelet.close();
  }

  @Test
  void aContainerGetsTheGpusThatTheKubeletChose_andNoOther() throws Exception {
    start("--device-plugin", "--simulate=h100x8");
    inTime().until(() -> kubelet.healthy(GPU).size() == 8);
    List<String> all = kubelet.healthy(GPU).stream().sorted().toList();

    List<String> liked = kubelet.prefer(GPU, all, List.of(), 2);
    var answer = kubelet.allocate(GPU, liked).getContainerResponses(0);

    assertThat(liked).hasSize(2);
    assertThat(Set.of(answer.getEnvsOrThrow("NVIDIA_VISIBLE_DEVICES").split(",")))
        .isEqualTo(Set.copyOf(liked));
    inTime().until(() -> get("/ready").statusCode() == 200);
    assertThat(get("/metrics").body())
        .contains(
            "gpu_device_plugin_registered{resource=\"nvidia.com/gpu\",} 1.0",
            "gpu_device_plugin_devices{resource=\"nvidia.com/gpu\",health=\"healthy\",} 8.0",
            "gpu_device_plugin_allocation_duration_seconds_count{resource=\"nvidia.com/gpu\",outcome=\"granted\",} 1.0",
            "DCGM_FI_DEV_GPU_UTIL{");
    assertThat(log).noneMatch(line -> line.contains(" WARN ") || line.contains(" ERROR "));
    assertThat(get("/status").body())
        .contains("<td>nvidia.com/gpu</td><td class=\"good\">watches for ")
        .contains("<td>8 of 8 healthy</td><td>1 granted, 0 refused, 0 failed</td>");
  }

  @Test
  void withThatRoleAlone_noGpuIsSampled_andPodsAreServed() throws Exception {
    start("--roles=device-plugin", "--simulate=t4x4");

    inTime().until(() -> kubelet.healthy(GPU).size() == 4);
    inTime().until(() -> get("/ready").statusCode() == 200);
    assertThat(get("/metrics").body())
        .contains("gpu_device_plugin_registered{resource=\"nvidia.com/gpu\",} 1.0")
        .doesNotContain("DCGM_FI_");
    assertThat(get("/status").body())
        .contains("<p>Ready.</p>", "<td>4 of 4 healthy</td>")
        .doesNotContain("<h2>Sources</h2>");
  }

  @Test
  void theOtherSevenStayAllocatable_whenOneGpuIsLost() throws Exception {
    Path script = folder.resolve("script.yml");
    Files.writeString(script, "[]\n");
    start("--device-plugin", "--simulate=h100x8", "--simulate-script=" + script);
    inTime().until(() -> kubelet.healthy(GPU).size() == 8);

    Files.writeString(script, "- {gpu: 3, fault: lost}\n");

    inTime().until(() -> kubelet.healthy(GPU).size() == 7);
    assertThat(kubelet.capacity(GPU)).isEqualTo(8);
    kubelet.healthy(GPU).forEach(id -> kubelet.allocate(GPU, List.of(id)));
    inTime()
        .until(
            () ->
                get("/metrics")
                    .body()
                    .contains(
                        "gpu_device_plugin_devices{resource=\"nvidia.com/gpu\",health=\"unhealthy\",} 1.0"));
  }

  @Test
  void anXidReachesTheKubelet_withoutWaitingForASurvey() throws Exception {
    surveyAfter = "1h";
    Path script = folder.resolve("script.yml");
    Files.writeString(script, "[]\n");
    start("--device-plugin", "--simulate=h100x8", "--simulate-script=" + script);
    inTime().until(() -> kubelet.healthy(GPU).size() == 8);

    Files.writeString(script, "- {gpu: 2, xids: [{code: 79, after: 0s}]}\n");

    inTime().until(() -> kubelet.healthy(GPU).size() == 7);
    assertThat(get("/metrics").body()).contains("reason=\"xid\",} 0.0");
  }

  @Test
  void isRegisteredAgain_whenTheKubeletComesBack() throws Exception {
    start("--device-plugin", "--simulate=t4x4");
    inTime().until(() -> kubelet.healthy(GPU).size() == 4);

    kubelet.stop();
    inTime().until(() -> get("/ready").statusCode() == 503);
    kubelet.start();

    inTime().until(() -> kubelet.healthy(GPU).size() == 4);
    inTime().until(() -> get("/ready").statusCode() == 200);
  }

  @Test
  void sharesThatTheConfigurationAsksForAreOffered_andABadOneChangesNothing() throws Exception {
    Path config = folder.resolve("config.yaml");
    Files.writeString(config, "version: v1\n");
    start("--device-plugin", "--simulate=t4x4", "--device-plugin-config-file=" + config);
    inTime().until(() -> kubelet.healthy(GPU).size() == 4);

    Files.writeString(
        config,
        """
        version: v1
        sharing:
          timeSlicing:
            resources: [{name: nvidia.com/gpu, replicas: 10}]
        """);
    inTime().until(() -> kubelet.healthy(GPU).size() == 40);
    Files.writeString(
        config, "version: v1\nsharing: {timeSlicing: {resources: [{replicas: 1}]}}\n");

    inTime()
        .until(
            () ->
                get("/metrics")
                    .body()
                    .contains("gpu_device_plugin_config_last_reload_successful 0.0"));
    assertThat(kubelet.healthy(GPU)).hasSize(40);
  }

  @Test
  void saysWhatIsWrong_whenTheConfigurationIsBadAtTheStart() throws Exception {
    Path config = folder.resolve("config.yaml");
    Files.writeString(config, "version: v1\nsharng: {}\n");

    Process refused =
        program("--device-plugin", "--simulate=t4x4", "--device-plugin-config-file=" + config)
            .start();

    String said = new String(refused.getErrorStream().readAllBytes(), UTF_8);
    assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(refused.exitValue()).isEqualTo(2);
    assertThat(said).contains("sharng", "config.yaml");
  }

  private ConditionFactory inTime() {
    return await().atMost(Duration.ofSeconds(60)).ignoreExceptionsInstanceOf(IOException.class);
  }

  private void start(String... flags) throws IOException {
    var started = program(flags).start();
    agent = started;
    Thread.ofVirtual().start(() -> read(started));
    port = inTime().until(this::portInLog, found -> found > 0);
  }

  private ProcessBuilder program(String... flags) throws IOException {
    Path config = folder.resolve("application.yml");
    Files.writeString(
        config,
        "device-plugin: {survey-after: "
            + surveyAfter
            + ", health-file: "
            + folder.resolve("health.json")
            + ", cdi-folder: "
            + folder.resolve("cdi")
            + "}\n");
    var command =
        new ArrayList<>(
            List.of(
                JAVA.toString(),
                "@src/main/jvm/jvm.options",
                "-Dmicronaut.config.files=" + config,
                "-jar",
                "target/gpu-exporter.jar",
                "-a=127.0.0.1:0",
                "--kubelet-socket=" + kubelet.socket()));
    command.addAll(List.of(flags));
    var builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("DCGM_") || name.startsWith("GPU_EXPORTER_"));
    builder.environment().put("NODE_NAME", "node-a");
    return builder;
  }

  private void read(Process started) {
    try (var err = new BufferedReader(new InputStreamReader(started.getErrorStream(), UTF_8))) {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        log.add(line);
      }
    } catch (IOException e) {
      // The stream closes under us when the process is stopped.
      log.add("the log ends: " + e);
    }
  }

  private int portInLog() {
    return log.stream()
        .flatMap(line -> LISTENS.matcher(line).results())
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .findFirst()
        .orElse(0);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(5));
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
