package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.config.ConfigFile;
import io.gpureclaimer.deviceplugin.config.MergedSettings;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.nvml.poll.PolledTestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublicationsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T00:00:00Z");
  private static final String DRIVER = "550.54.15";
  private static final String HOOK = "/usr/local/nvidia/toolkit/nvidia-cdi-hook";

  @TempDir Path folder;
  private Path mounted;
  private final Map<String, String> options = new HashMap<>();

  /** A driver in a container: its root is mounted here, and the node has it elsewhere. */
  @BeforeEach
  void mountDriver() throws IOException {
    mounted = folder.resolve("driver-root");
    for (String library : List.of("libcuda.so.", "libnvidia-ml.so.")) {
      file("/usr/lib/x86_64-linux-gnu/" + library + DRIVER);
    }
    for (String device :
        List.of(
            "nvidia0",
            "nvidiactl",
            "nvidia-uvm",
            "nvidia-modeset",
            "gdrdrv",
            "nvidia-fs0",
            "infiniband/uverbs0",
            "nvidia-caps-imex-channels/channel0")) {
      file("/dev/" + device);
    }
    options.put("device-list-strategy", "cdi-cri");
    options.put("driver-root", "/run/nvidia/driver");
    options.put("driver-root-ctr-path", mounted.toString());
  }

  @Test
  void deviceFilesAreLookedForWhereTheDriverIsMounted_andNamedWhereTheNodeHasThem()
      throws IOException {
    String gpus = published("gpu");

    assertThat(gpus)
        .contains("\"hostPath\":\"/run/nvidia/driver/dev/nvidia-uvm\"")
        .contains("\"hostPath\":\"/run/nvidia/driver/dev/nvidia-modeset\"")
        .doesNotContain(mounted.toString());
    for (String kind : List.of("gds", "gdrcopy", "mofed", "imex-channel")) {
      assertThat(published(kind)).contains("\"hostPath\":\"/run/nvidia/driver/dev/");
    }
  }

  @Test
  void anImexChannelIsThere_ifItIsWhereTheDriverIsMounted() {
    var driver = settings().driver();

    assertThat(NodeDevices.has(driver, Path.of("/dev/nvidia-caps-imex-channels/channel0")))
        .isTrue();
    assertThat(NodeDevices.has(driver, Path.of("/dev/nvidia-caps-imex-channels/channel1")))
        .isFalse();
  }

  @Test
  void ourOwnDeviceFilesAreTaken_whereTheMountHasNone() {
    options.put("driver-root-ctr-path", folder.resolve("nothing").toString());
    options.put("dev-root", "/elsewhere");
    var tree = NodeDevices.of(settings().driver());

    assertThat(tree.here()).isEqualTo(Path.of("/"));
    assertThat(tree.onHost()).isEqualTo("/elsewhere");
    assertThat(NodeDevices.has(settings().driver(), Path.of("/dev/null"))).isTrue();
  }

  @Test
  void hooksThatOlderToolkitsDoNotKnowAreLeftOut_unlessAskedFor() throws IOException {
    options.put("nvidia-cdi-hook-path", HOOK);

    assertThat(published("gpu"))
        .contains("enable-cuda-compat")
        .doesNotContain("update-application-profile");

    options.put("cdi-enable-hooks", "update-application-profile");
    assertThat(published("gpu")).contains("enable-cuda-compat", "update-application-profile");

    options.put("cdi-disable-hooks", "enable-cuda-compat,chmod");
    assertThat(published("gpu"))
        .contains("update-application-profile")
        .doesNotContain("enable-cuda-compat");
  }

  @Test
  void aHookProgramThatIsNamedIsBelieved_alsoAtItsUsualPlace() throws IOException {
    assertThat(published("gpu")).doesNotContain("\"hooks\"");

    options.put("nvidia-cdi-hook-path", "/usr/bin/nvidia-ctk");

    assertThat(published("gpu")).contains("\"path\":\"/usr/bin/nvidia-ctk\"");
  }

  @ParameterizedTest
  @CsvSource({"amd64, /usr/lib/x86_64-linux-gnu", "aarch64, /usr/lib/aarch64-linux-gnu"})
  void withoutHooksLibrariesAreWhereLoadersOfTheArchitectureLook(String architecture, String place)
      throws IOException {
    options.put("cdi-disable-hooks", "all");

    assertThat(published("gpu", architecture))
        .contains(
            "\"containerPath\":\"" + place + "/libcuda.so.1\"",
            "\"containerPath\":\"/usr/lib64/libcuda.so.1\"");
  }

  @Test
  void nothingIsWritten_whereNoStrategyNeedsIt() {
    options.put("device-list-strategy", "envvar");

    publish("amd64");

    assertThat(folder.resolve("cdi")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "cdi-cri, enable_cdi = false, true",
    "cdi-annotations, enable_cdi = false, true",
    "cdi-cri, enable_cdi = true, false",
    "cdi-cri, version = 3, false",
    "'envvar,cdi-cri', enable_cdi = false, false",
    "cdi-annotations, enable_cdi = false # nvidia-container-runtime, true",
    "cdi-annotations, 'enable_cdi = false\nBinaryName = nvidia-container-runtime', false",
    "cdi-cri, 'enable_cdi = false\nBinaryName = nvidia-container-runtime', true"
  })
  void reportsThatContainersStartWithoutTheirGpus_whereTheRuntimeHonorsNoCdi(
      String strategies, String containerd, boolean reported) throws IOException {
    options.put("driver-root", "/");
    options.put("device-list-strategy", strategies);
    Files.createDirectories(mounted.resolve("etc/containerd"));
    Files.writeString(
        mounted.resolve("etc/containerd/config.toml"), containerd.replace("\\n", "\n"));

    assertThat(publish("amd64").problems().stream().anyMatch(it -> it.startsWith("CDI is off")))
        .isEqualTo(reported);
  }

  @Test
  void reportsNothingOfAContainerd_whereCrioMayBeTheRuntime() throws IOException {
    options.put("driver-root", "/");
    options.put("device-list-strategy", "cdi-cri");
    Files.createDirectories(mounted.resolve("etc/containerd"));
    Files.writeString(mounted.resolve("etc/containerd/config.toml"), "enable_cdi = false");
    Files.createDirectories(mounted.resolve("etc/crio/crio.conf.d"));

    assertThat(publish("amd64").problems()).noneMatch(it -> it.startsWith("CDI is off"));
  }

  private String published(String kind) throws IOException {
    return published(kind, "amd64");
  }

  private String published(String kind, String architecture) throws IOException {
    publish(architecture);
    return Files.readString(
            folder.resolve("cdi").resolve("k8s.device-plugin.nvidia.com-" + kind + ".json"))
        .replaceAll("\\s", "");
  }

  private CdiReport publish(String architecture) {
    return new Publications(folder.resolve("cdi"), architecture)
        .publish(new PolledTestNode("t4x4", folder).inventory(), settings(), NOW);
  }

  private PluginSettings settings() {
    return switch (MergedSettings.of(options, Map.of(), ConfigFile.NONE)) {
      case MergedSettings.Merged(var settings, _) -> settings;
      case MergedSettings.Refused(var problems) -> throw new AssertionError(problems);
    };
  }

  private void file(String path) throws IOException {
    Path file = mounted.resolve(path.substring(1));
    Files.createDirectories(file.getParent());
    Files.writeString(file, "of the driver");
  }
}
