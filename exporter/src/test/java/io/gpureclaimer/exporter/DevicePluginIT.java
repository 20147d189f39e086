package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.deviceplugin.kubelet.FakeDeviceManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as a device plugin, with simulated GPUs and a fake device manager. */
@Timeout(180)
class DevicePluginIT {
  private static final String GPU = "nvidia.com/gpu";

  private final AgentProcess agent = new AgentProcess();

  @TempDir Path folder;
  private FakeDeviceManager kubelet;
  private String surveyAfter = "";
  private String more = "";

  @BeforeEach
  void prepare() throws IOException {
    kubelet = new FakeDeviceManager(Files.createDirectory(folder.resolve("dp")));
    kubelet.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    agent.stop();
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
    inTime().until(() -> agent.get("/ready").statusCode() == 200);
    assertThat(agent.scrape())
        .contains(
            "gpu_device_plugin_registered{resource=\"nvidia.com/gpu\",} 1.0",
            "gpu_device_plugin_devices{resource=\"nvidia.com/gpu\",health=\"healthy\",} 8.0",
            "gpu_device_plugin_allocation_duration_seconds_count{resource=\"nvidia.com/gpu\",outcome=\"granted\",} 1.0",
            "DCGM_FI_DEV_GPU_UTIL{");
    assertThat(agent.log())
        .filteredOn(line -> line.contains(" WARN ") || line.contains(" ERROR "))
        .as("this kubelet has no pod-resources")
        .allMatch(line -> line.contains("the kubelet does not report allocations"));
    assertThat(agent.get("/status").body())
        .contains("\"watchedSince\" : ", "\"devices\" : 8,", "\"healthy\" : 8,")
        .contains("\"granted\" : 1,", "\"refused\" : 0,", "\"failed\" : 0");
  }

  @Test
  void withThatRoleAlone_noGpuIsSampled_andPodsAreServed() throws Exception {
    start("--roles=device-plugin", "--simulate=t4x4");

    inTime().until(() -> kubelet.healthy(GPU).size() == 4);
    inTime().until(() -> agent.get("/ready").statusCode() == 200);
    assertThat(agent.scrape())
        .contains("gpu_device_plugin_registered{resource=\"nvidia.com/gpu\",} 1.0")
        .doesNotContain("DCGM_FI_");
    assertThat(agent.get("/status").body())
        .contains("\"ready\" : true", "\"healthy\" : 4,")
        .doesNotContain("\"sampling\"");
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
                agent
                    .get("/metrics")
                    .body()
                    .contains(
                        "gpu_device_plugin_devices{resource=\"nvidia.com/gpu\",health=\"unhealthy\",} 1.0"));
  }

  @Test
  void theNodeHasAsManyAsBefore_whenOneGpuIsLostWhileTheAgentIsReplaced() throws Exception {
    Path script = folder.resolve("script.yml");
    Files.writeString(script, "[]\n");
    start("--device-plugin", "--simulate=h100x8", "--simulate-script=" + script);
    inTime().until(() -> kubelet.healthy(GPU).size() == 8);
    agent.stop();
    inTime().until(() -> kubelet.healthy(GPU).isEmpty());

    Files.writeString(script, "- {gpu: 3, fault: lost}\n");
    start("--device-plugin", "--simulate=h100x8", "--simulate-script=" + script);

    inTime().until(() -> kubelet.healthy(GPU).size() == 7);
    assertThat(kubelet.capacity(GPU)).isEqualTo(8);
  }

  @Test
  void anXidReachesTheKubelet_withoutWaitingForASurvey() throws Exception {
    surveyAfter = "survey-after: 1h, ";
    Path script = folder.resolve("script.yml");
    Files.writeString(script, "[]\n");
    start("--device-plugin", "--simulate=h100x8", "--simulate-script=" + script);
    inTime().until(() -> kubelet.healthy(GPU).size() == 8);

    Files.writeString(script, "- {gpu: 2, xids: [{code: 79, after: 0s}]}\n");

    inTime().until(() -> kubelet.healthy(GPU).size() == 7);
    assertThat(agent.scrape()).contains("reason=\"xid\",} 0.0");
  }

  @Test
  void isRegisteredAgain_whenTheKubeletComesBack() throws Exception {
    start("--device-plugin", "--simulate=t4x4");
    inTime().until(() -> kubelet.healthy(GPU).size() == 4);

    kubelet.stop();
    inTime().until(() -> agent.get("/ready").statusCode() == 503);
    kubelet.start();

    inTime().until(() -> kubelet.healthy(GPU).size() == 4);
    inTime().until(() -> agent.get("/ready").statusCode() == 200);
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
                agent
                    .get("/metrics")
                    .body()
                    .contains("gpu_device_plugin_config_last_reload_successful 0.0"));
    assertThat(kubelet.healthy(GPU)).hasSize(40);
  }

  @Test
  void aNodeWhoseLabelChoosesTheConfiguration_isInformedWhichGpuNewPodsDoNotGet() throws Exception {
    Path script = Files.writeString(folder.resolve("script.yml"), "[]\n");
    Path configs = Files.createDirectory(folder.resolve("configs"));
    Files.writeString(configs.resolve("plain"), "version: v1\n");
    try (var server = new FakeApiServer()) {
      server.admin().nodes().resource(labeled("plain")).create();
      more = AgentProcess.askingAt(server.address(), folder);
      start(
          "--device-plugin",
          "--simulate=t4x4",
          "--simulate-script=" + script,
          "--device-plugin-config-dir=" + configs);
      inTime().until(() -> kubelet.healthy(GPU).size() == 4);
      assertThat(agent.get("/status").body())
          .contains("(the Node's label nvidia.com/device-plugin.config is plain)");

      Files.writeString(script, "- {gpu: 3, fault: lost}\n");

      inTime()
          .untilAsserted(
              () ->
                  assertThat(server.admin().v1().events().inNamespace("default").list().getItems())
                      .singleElement()
                      .satisfies(
                          event -> {
                            assertThat(event.getReason()).isEqualTo("GpuUnhealthy");
                            assertThat(event.getMessage())
                                .startsWith("No new pod gets GPU 3 (GPU-");
                          }));
    }
  }

  private static Node labeled(String config) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName("node-a")
        .addToLabels("nvidia.com/device-plugin.config", config)
        .endMetadata()
        .build();
  }

  @Test
  void saysWhatIsWrong_whenTheConfigurationIsBadAtTheStart() throws Exception {
    Path config = folder.resolve("config.yaml");
    Files.writeString(config, "version: v1\nsharng: {}\n");

    Process refused =
        AgentProcess.launch(
            folder,
            settings(),
            withSocket(
                "--device-plugin", "--simulate=t4x4", "--device-plugin-config-file=" + config));

    String said = new String(refused.getErrorStream().readAllBytes(), UTF_8);
    assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(refused.exitValue()).isEqualTo(2);
    assertThat(said).contains("sharng", "config.yaml");
  }

  private ConditionFactory inTime() {
    return await().atMost(Duration.ofSeconds(60)).ignoreExceptionsInstanceOf(IOException.class);
  }

  private void start(String... flags) throws IOException {
    agent.start(folder, settings(), withSocket(flags));
  }

  private String settings() {
    return "device-plugin: {"
        + surveyAfter
        + "health-file: "
        + folder.resolve("health.json")
        + ", cdi-folder: "
        + folder.resolve("cdi")
        + "}\n"
        + more;
  }

  private String[] withSocket(String... flags) {
    return Stream.concat(Stream.of(flags), Stream.of("--kubelet-socket=" + kubelet.socket()))
        .toArray(String[]::new);
  }
}
