package io.gpureclaimer.deviceplugin.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.CdiNames;
import io.gpureclaimer.deviceplugin.allocation.AllocationRules;
import io.gpureclaimer.deviceplugin.allocation.DeviceIdStrategy;
import io.gpureclaimer.deviceplugin.allocation.DeviceListStrategy;
import io.gpureclaimer.deviceplugin.allocation.Feature;
import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.ResourceSettings;
import io.gpureclaimer.deviceplugin.allocation.ResponseSettings;
import io.gpureclaimer.deviceplugin.allocation.preference.SharePolicy;
import io.gpureclaimer.deviceplugin.cdi.CdiSettings;
import io.gpureclaimer.deviceplugin.cdi.HookName;
import io.gpureclaimer.deviceplugin.config.MergedSettings.Merged;
import io.gpureclaimer.deviceplugin.config.MergedSettings.Refused;
import io.gpureclaimer.deviceplugin.config.PluginSettings.DriverSettings;
import io.gpureclaimer.deviceplugin.config.PluginSettings.LabelSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MergedSettingsTest {
  private static final Map<String, String> NO_VALUES = Map.of();

  /** Values other than the usual ones; a path for all that are not named. */
  private static final Map<String, String> EXAMPLES =
      Map.ofEntries(
          Map.entry("mig-strategy", "mixed"),
          Map.entry("fail-on-init-error", "true"),
          Map.entry("gdrcopy-enabled", "true"),
          Map.entry("gds-enabled", "true"),
          Map.entry("mofed-enabled", "true"),
          Map.entry("device-discovery-strategy", "auto"),
          Map.entry("use-node-feature-api", "true"),
          Map.entry("pass-device-specs", "true"),
          Map.entry("device-list-strategy", "cdi-cri"),
          Map.entry("device-id-strategy", "index"),
          Map.entry("cdi-annotation-prefix", "example.com/"),
          Map.entry("cdi-vendor", "example.com"),
          Map.entry("shared-devices-allocation-policy", "packed"),
          Map.entry("shared-memory-budget", "true"),
          Map.entry("cdi-feature-flags", "disable-nvsandboxutils"),
          Map.entry("cdi-disable-hooks", "all"),
          Map.entry("cdi-enable-hooks", "update-application-profile"),
          Map.entry("imex-channel-ids", "0"),
          Map.entry("imex-required", "true"),
          Map.entry("oneshot", "true"),
          Map.entry("no-timestamp", "false"),
          Map.entry("sleep-interval", "1h"));

  private static final PluginSettings USUAL =
      new PluginSettings(
          ResourceSettings.PLAIN,
          new AllocationRules(
              new ResponseSettings(
                  Set.of(DeviceListStrategy.ENVVAR),
                  DeviceIdStrategy.UUID,
                  false,
                  Path.of("/"),
                  CdiNames.NVIDIA,
                  "cdi.k8s.io/",
                  Set.of(),
                  List.of(),
                  false,
                  null,
                  false),
              SharePolicy.DISTRIBUTED,
              false),
          new DriverSettings(Path.of("/"), Path.of("/driver-root"), Path.of("/")),
          new CdiSettings.Hooks(null, HookName.OFF_UNLESS_ASKED_FOR),
          Path.of("/var/lib/kubelet/device-plugins/kubelet.sock"),
          new LabelSettings(
              false,
              Path.of("/etc/kubernetes/node-feature-discovery/features.d/gfd"),
              Path.of("/sys/class/dmi/id/product_name")));

  @Test
  void theUsualHolds_whenNothingSaysOtherwise() {
    assertThat(MergedSettings.of(NO_VALUES, NO_VALUES, ConfigFile.NONE))
        .isEqualTo(new Merged(USUAL, List.of()));
  }

  @Test
  void everythingCanBeSaidByTheEnvironment() {
    MergedSettings merged =
        MergedSettings.of(
            NO_VALUES,
            Map.ofEntries(
                Map.entry("PATH", "/bin"),
                Map.entry("MIG_STRATEGY", "single"),
                Map.entry("FAIL_ON_INIT_ERROR", "false"),
                Map.entry("NVIDIA_DRIVER_ROOT", "/run/nvidia/driver"),
                Map.entry("PASS_DEVICE_SPECS", "true"),
                Map.entry("DEVICE_LIST_STRATEGY", "volume-mounts, cdi-annotations"),
                Map.entry("DEVICE_ID_STRATEGY", "index"),
                Map.entry("GDRCOPY_ENABLED", "1"),
                Map.entry("GDS_ENABLED", "TRUE"),
                Map.entry("MOFED_ENABLED", "t"),
                Map.entry("CDI_ANNOTATION_PREFIX", "nvidia.cdi.k8s.io/"),
                Map.entry("CDI_VENDOR", "gpu.example.com"),
                Map.entry("NVIDIA_CTK_PATH", "/ctk"),
                Map.entry("DRIVER_ROOT_CTR_PATH", "/driver"),
                Map.entry("MPS_ROOT", "/mps"),
                Map.entry("SHARED_DEVICES_ALLOCATION_POLICY", "spread"),
                Map.entry("SHARED_MEMORY_BUDGET", "true"),
                Map.entry("DEVICE_DISCOVERY_STRATEGY", "nvml"),
                Map.entry("IMEX_CHANNEL_IDS", "0"),
                Map.entry("IMEX_REQUIRED", "true"),
                Map.entry("KUBELET_SOCKET", "/k/kubelet.sock"),
                Map.entry("CDI_DISABLE_HOOKS", "all"),
                Map.entry("GFD_ONESHOT", "false"),
                Map.entry("GFD_NO_TIMESTAMP", "false"),
                Map.entry("GFD_OUTPUT_FILE", "/labels"),
                Map.entry("GFD_MACHINE_TYPE_FILE", "/machine"),
                Map.entry("GFD_USE_NODE_FEATURE_API", "false")),
            ConfigFile.NONE);

    assertThat(merged)
        .isEqualTo(
            new Merged(
                new PluginSettings(
                    new ResourceSettings(
                        MigStrategy.SINGLE, List.of(), List.of(), ResourceSettings.PLAIN.sharing()),
                    new AllocationRules(
                        new ResponseSettings(
                            Set.of(
                                DeviceListStrategy.VOLUME_MOUNTS,
                                DeviceListStrategy.CDI_ANNOTATIONS),
                            DeviceIdStrategy.INDEX,
                            true,
                            Path.of("/run/nvidia/driver"),
                            new CdiNames("gpu.example.com"),
                            "nvidia.cdi.k8s.io/",
                            Set.of(Feature.values()),
                            List.of(0),
                            true,
                            Path.of("/mps"),
                            true),
                        SharePolicy.SPREAD,
                        false),
                    new DriverSettings(
                        Path.of("/run/nvidia/driver"),
                        Path.of("/driver"),
                        Path.of("/run/nvidia/driver")),
                    new CdiSettings.Hooks("/ctk", Set.of(HookName.values())),
                    Path.of("/k/kubelet.sock"),
                    new LabelSettings(true, Path.of("/labels"), Path.of("/machine"))),
                List.of()));
  }

  @Test
  void theCommandLineGoesFirst_thenTheEnvironment_thenTheFile() {
    ConfigFile file =
        ConfigFile.parse("c", "flags: {migStrategy: mixed, nvidiaDevRoot: /file, mpsRoot: /file}");

    MergedSettings merged =
        MergedSettings.of(
            Map.of("nvidia-dev-root", "/option"),
            Map.of("NVIDIA_DEV_ROOT", "/variable", "MPS_ROOT", "/variable", "MIG_STRATEGY", ""),
            file);

    assertThat(merged)
        .isInstanceOfSatisfying(
            Merged.class,
            settled -> {
              ResponseSettings response = settled.settings().allocation().response();
              assertThat(response.devRoot()).isEqualTo(Path.of("/option"));
              assertThat(response.mpsRoot()).isEqualTo(Path.of("/variable"));
              assertThat(settled.settings().offer().mig()).isEqualTo(MigStrategy.MIXED);
            });
  }

  static Stream<Arguments> variables() {
    return Arrays.stream(PluginFlag.values())
        .flatMap(
            option -> option.variables().stream().map(variable -> Arguments.of(option, variable)));
  }

  @ParameterizedTest
  @MethodSource("variables")
  void eachVariableSaysWhatEachNameOfItsFlagSays(PluginFlag option, String variable) {
    String value = EXAMPLES.getOrDefault(option.options().getFirst(), "/some/path");
    Merged said = settled(MergedSettings.of(NO_VALUES, Map.of(variable, value), ConfigFile.NONE));

    for (String name : option.options()) {
      Merged same = settled(MergedSettings.of(Map.of(name, value), NO_VALUES, ConfigFile.NONE));
      assertThat(same.settings()).isEqualTo(said.settings());
      assertThat(same.notes()).hasSameSizeAs(said.notes());
    }
    assertThat(said.equals(new Merged(USUAL, List.of()))).isEqualTo(value.equals("auto"));
  }

  private static Merged settled(MergedSettings merged) {
    return assertThat(merged).isInstanceOf(Merged.class).actual() instanceof Merged settled
        ? settled
        : new Merged(USUAL, List.of());
  }

  @Test
  void theFileSaysWhatIsShared() {
    ConfigFile file =
        ConfigFile.parse(
            "c", "flags: {mpsRoot: /mps}\nsharing: {mps: {resources: [{name: gpu, replicas: 2}]}}");

    assertThat(MergedSettings.of(NO_VALUES, NO_VALUES, file))
        .isInstanceOfSatisfying(
            Merged.class,
            settled -> {
              assertThat(settled.settings().offer().sharing()).isEqualTo(file.sharing());
              assertThat(settled.settings().allocation().oneShareAtMost()).isTrue();
            });
  }

  @Test
  void anUnsupportedFlagIsReportedOnce_andABareNumberCountsNanoseconds() {
    ConfigFile file =
        ConfigFile.parse("c", "flags: {gfd: {oneshot: true, sleepInterval: 30000000000}}");

    assertThat(
            MergedSettings.of(
                Map.of("fail-on-init-error", "true", "cdi-feature-flags", "a,b"),
                Map.of("GFD_USE_NODE_FEATURE_API", "true"),
                file))
        .isEqualTo(
            new Merged(
                USUAL,
                List.of(
                    "--fail-on-init-error has no effect: without a driver the agent stays, says"
                        + " so, and tries again",
                    "c:1:24: flags.gfd.oneshot has no effect: labels are kept as they should be"
                        + " for as long as the agent runs",
                    "c:1:45: flags.gfd.sleepInterval has no effect: labels follow each look at the"
                        + " devices, every device-plugin.survey-after",
                    "GFD_USE_NODE_FEATURE_API has no effect: --node-labels says where labels go,"
                        + " and node-feature is one of the places",
                    "--cdi-feature-flags has no effect: the specifications are not made by"
                        + " NVIDIA's library")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "0", "1.5h", "infinite"})
  void everyIntervalOfLabelsIsTaken_sinceNoneHasAnEffect(String interval) {
    assertThat(MergedSettings.of(Map.of("sleep-interval", interval), NO_VALUES, ConfigFile.NONE))
        .isEqualTo(
            new Merged(
                USUAL,
                List.of(
                    "--sleep-interval has no effect: labels follow each look at the devices, every"
                        + " device-plugin.survey-after")));
  }

  @Test
  void deviceSpecsHaveNoEffect_whenCdiAloneBringsDevices() {
    assertThat(
            MergedSettings.of(
                Map.of("device-list-strategy", "cdi-cri", "pass-device-specs", "true"),
                NO_VALUES,
                ConfigFile.NONE))
        .isInstanceOfSatisfying(
            Merged.class,
            settled ->
                assertThat(settled.notes())
                    .containsExactly(
                        "--pass-device-specs has no effect, since CDI alone brings the device"
                            + " files"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "mig-strategy | both | --mig-strategy must be one of none, single, mixed, was \"both\"",
        "fail-on-init-error | yes | --fail-on-init-error must be true or false, was \"yes\"",
        "device-list-strategy | envvar,cdi | --device-list-strategy must be one or several of"
            + " envvar, volume-mounts, cdi-annotations, cdi-cri, separated by commas, was"
            + " \"envvar,cdi\"",
        "driver-root | run | --driver-root must be an absolute path, was \"run\"",
        "cdi-vendor | a/b | --cdi-vendor must be letters, digits, '-', '_' and '.', was \"a/b\"",
        "cdi-annotation-prefix | x | --cdi-annotation-prefix must be a domain and a slash, was"
            + " \"x\"",
        "cdi-annotation-prefix | a..b/ | --cdi-annotation-prefix must be a domain and a slash, was"
            + " \"a..b/\"",
        "cdi-annotation-prefix | a-.b/ | --cdi-annotation-prefix must be a domain and a slash, was"
            + " \"a-.b/\"",
        "cdi-disable-hooks | all,ldcache | --cdi-disable-hooks must be one or several of all,"
            + " create-symlinks, enable-cuda-compat, update-ldcache,"
            + " disable-device-node-modification, update-application-profile, separated by"
            + " commas, was \"all,ldcache\"",
        "cdi-enable-hooks | chmod | --cdi-enable-hooks must be one or several of all,"
            + " create-symlinks, enable-cuda-compat, update-ldcache,"
            + " disable-device-node-modification, update-application-profile, separated by"
            + " commas, was \"chmod\"",
        "imex-channel-ids | 1 | --imex-channel-ids must be [] or [0], was \"1\"",
        "device-discovery-strategy | tegra | --device-discovery-strategy must be auto or nvml, the"
            + " only ways that are known here, was \"tegra\"",
        "sleep-interval | 0m30 | --sleep-interval must be a duration such as 60s or 1h30m, or"
            + " infinite, was \"0m30\"",
        "sleep-interval | soon | --sleep-interval must be a duration such as 60s or 1h30m, or"
            + " infinite, was \"soon\"",
        "mig-stratgy | none | --mig-stratgy is no known option; did you mean --mig-strategy?",
      })
  void aMistakeOfTheCommandLineIsReported(String option, String value, String problem) {
    assertThat(MergedSettings.of(Map.of(option, value), NO_VALUES, ConfigFile.NONE))
        .isEqualTo(new Refused(List.of(problem)));
  }

  @Test
  void mpsNeedsItsFolder() {
    ConfigFile file =
        ConfigFile.parse("c", "sharing: {mps: {resources: [{name: gpu, replicas: 2}]}}");

    assertThat(MergedSettings.of(NO_VALUES, NO_VALUES, file))
        .isEqualTo(
            new Refused(
                List.of(
                    "--mps-root must be an absolute path, since the config file has sharing.mps,"
                        + " was \"\"")));
  }

  @Test
  void everyMistakeIsReported_withItsOrigin() {
    ConfigFile file = ConfigFile.parse("c", "flags: {migStrategy: some, plugin: {x: 1}}");

    assertThat(MergedSettings.of(NO_VALUES, Map.of("GDS_ENABLED", "maybe"), file))
        .isEqualTo(
            new Refused(
                List.of(
                    "c:1:37: flags.plugin.x is no known key; known are passDeviceSpecs,"
                        + " deviceListStrategy, deviceIDStrategy, cdiAnnotationPrefix, cdiVendor,"
                        + " nvidiaCTKPath, containerDriverRoot, sharedDevicesAllocationPolicy,"
                        + " sharedMemoryBudget",
                    "c:1:22: flags.migStrategy must be one of none, single, mixed, was \"some\"",
                    "GDS_ENABLED must be true or false, was \"maybe\"")));
  }
}
