package io.gpureclaimer.deviceplugin.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.deviceplugin.allocation.DeviceChoice;
import io.gpureclaimer.deviceplugin.allocation.NamePattern;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.SharedResource;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final String EVERY_KEY =
      """
      version: v1
      flags:
        migStrategy: mixed
        failOnInitError: false
        mpsRoot: /run/nvidia/mps
        nvidiaDriverRoot: /run/nvidia/driver
        nvidiaDevRoot: /
        gdrcopyEnabled: true
        gdsEnabled: true
        mofedEnabled: false
        useNodeFeatureAPI: false
        deviceDiscoveryStrategy: nvml
        plugin:
          passDeviceSpecs: true
          deviceListStrategy: [envvar, cdi-cri]
          deviceIDStrategy: index
          cdiAnnotationPrefix: nvidia.cdi.k8s.io/
          nvidiaCTKPath: /usr/bin/nvidia-cdi-hook
          containerDriverRoot: /driver
          sharedDevicesAllocationPolicy: packed
        gfd:
          oneshot: true
          noTimestamp: true
          sleepInterval: 5m
          outputFile: /out
          machineTypeFile: /machine
      resources:
        gpus:
        - pattern: "*A100*"
          name: a100
        mig:
        - pattern: "1g.*"
          name: example.com/small
      sharing:
        timeSlicing:
          renameByDefault: true
          failRequestsGreaterThanOne: true
          resources:
          - name: nvidia.com/gpu
            replicas: 4
            devices: [0, 1:0, "GPU-0aa1"]
          - name: gpu
            rename: gpu-slice
            replicas: 10
            devices: 2
          - name: a100
            replicas: 2
            devices: all
      imex:
        channelIDs: [0]
        required: true
      """;

  @Test
  void everyKeyIsRead() {
    ConfigFile file = ConfigFile.parse("config.yaml", EVERY_KEY);

    assertThat(file.problems()).isEmpty();
    assertThat(file.notes()).isEmpty();
    assertThat(file.gpuNames())
        .containsExactly(new NamePattern("*A100*", new ResourceName("nvidia.com/a100")));
    assertThat(file.migNames())
        .containsExactly(new NamePattern("1g.*", new ResourceName("example.com/small")));
    assertThat(file.sharing())
        .isEqualTo(
            new Sharing(
                Sharing.SharingKind.TIME_SLICING,
                true,
                List.of(
                    new SharedResource(
                        GPU,
                        new ResourceName("nvidia.com/gpu.shared"),
                        new DeviceChoice.Named(List.of("0", "1:0", "GPU-0aa1")),
                        4),
                    new SharedResource(
                        GPU,
                        new ResourceName("nvidia.com/gpu-slice"),
                        new DeviceChoice.First(2),
                        10),
                    new SharedResource(
                        new ResourceName("nvidia.com/a100"),
                        new ResourceName("nvidia.com/a100.shared"),
                        new DeviceChoice.All(),
                        2))));
    assertThat(file.flags())
        .hasSize(24)
        .containsEntry(
            "flags.migStrategy", new FlagValue("config.yaml:3:16: flags.migStrategy", "mixed"))
        .containsEntry(
            "flags.plugin.deviceListStrategy",
            new FlagValue("config.yaml:15:25: flags.plugin.deviceListStrategy", "envvar,cdi-cri"))
        .containsEntry("imex.channelIDs", new FlagValue("config.yaml:50:15: imex.channelIDs", "0"));
  }

  @Test
  void jsonIsReadToo_evenIfIndentedByTabs() {
    ConfigFile file =
        ConfigFile.parse(
            "config.json",
            "{\n\t\"version\": \"v1\",\n\t\"sharing\": {\"mps\": {\"resources\":\n\t\t[{\"name\":"
                + " \"nvidia.com/gpu\", \"replicas\": 2}]}}\n}");

    assertThat(file.problems()).isEmpty();
    assertThat(file.sharing())
        .isEqualTo(
            new Sharing(
                Sharing.SharingKind.MPS,
                true,
                List.of(new SharedResource(GPU, GPU, new DeviceChoice.All(), 2))));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheText() {
    assertThat(ConfigFile.parse("c", "\uFEFFversion: v1")).isEqualTo(ConfigFile.NONE);
    assertThat(ConfigFile.parse("c", "\uFEFF{\n\t\"version\": \"v1\"\n}"))
        .isEqualTo(ConfigFile.NONE);
  }

  @Test
  void whatIsTakenOverFromAnotherMapping_countsWhereNothingNearerSaysOtherwise() {
    ConfigFile file =
        ConfigFile.parse(
            "c",
            """
            sharing:
              timeSlicing:
                resources:
                - &all {name: gpu, replicas: 4, devices: 1}
                - {<<: *all, replicas: 2}
                - {<<: [{rename: a}, *all, {rename: b}], devices: all}
                - &self {<<: *self, name: gpu, replicas: 3}
            """);

    var all = new DeviceChoice.All();
    assertThat(file.problems()).isEmpty();
    assertThat(file.sharing().resources())
        .containsExactly(
            new SharedResource(GPU, GPU, new DeviceChoice.First(1), 4),
            new SharedResource(GPU, GPU, new DeviceChoice.First(1), 2),
            new SharedResource(GPU, new ResourceName("nvidia.com/a"), all, 4),
            new SharedResource(GPU, GPU, all, 3));
  }

  @Test
  void aWholeNumberMayHaveAFractionOfNothing() {
    ConfigFile file =
        ConfigFile.parse("c", "sharing: {mps: {resources: [{name: gpu, replicas: 10.0}]}}");

    assertThat(file.problems()).isEmpty();
    assertThat(file.sharing().resources())
        .containsExactly(new SharedResource(GPU, GPU, new DeviceChoice.All(), 10));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "# nothing\n", "---\n", "{}", "version: v1", "version: \"\"", "flags:"})
  void nothingIsNoMistake(String text) {
    assertThat(ConfigFile.parse("config.yaml", text)).isEqualTo(ConfigFile.NONE);
  }

  @Test
  void timeSlicingHasNoEffect_whenThereIsMps() {
    ConfigFile file =
        ConfigFile.parse(
            "c",
            """
            sharing:
              timeSlicing: {resources: [{name: gpu, replicas: 4}]}
              mps: {failRequestsGreaterThanOne: false, resources: [{name: gpu, replicas: 2}]}
            """);

    assertThat(file.sharing().kind()).isEqualTo(Sharing.SharingKind.MPS);
    assertThat(file.sharing().oneShareAtMost()).isFalse();
    assertThat(file.notes())
        .containsExactly(
            "c:2:16: sharing.timeSlicing has no effect, since there is sharing.mps; remove one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "version: v2 | c:1:10: version must be v1, was \"v2\"",
        "version: 1 | c:1:10: version must be v1, was \"1\"",
        "versoin: v1 | c:1:1: versoin is no known key; did you mean version?",
        "flags: {migstrategy: none} | c:1:9: flags.migstrategy is no known key; did you mean"
            + " migStrategy?",
        "flags: {plugin: {deviceIdStrategy: uuid}} | c:1:18: flags.plugin.deviceIdStrategy is no"
            + " known key; did you mean deviceIDStrategy?",
        "resources: {memory: []} | c:1:13: resources.memory is no known key; known are gpus, mig",
        "flags: [] | c:1:8: flags must be a mapping, was a list of 0",
        "flags: {migStrategy: {a: 1}} | c:1:22: flags.migStrategy must be a text, was a mapping"
            + " with the keys a",
        "flags: {failOnInitError: \"true\"} | c:1:26: flags.failOnInitError must be true or false,"
            + " was \"true\"",
        "flags: {gfd: {sleepInterval: true}} | c:1:30: flags.gfd.sleepInterval must be a duration"
            + " such as 60s, or infinite, was \"true\"",
        "flags: {gdsEnabled: true, gdsEnabled: false} | c:1:27: flags.gdsEnabled must be given"
            + " once, is there again",
        "flags: {<<: 1} | c:1:13: flags.<< must be a mapping, or several, was \"1\"",
        "flags: {<<: {mig: 1}} | c:1:14: flags.mig is no known key; did you mean gfd?",
        "sharing: {mps: {resources: [{name: gpu, replicas: 2.5}]}} | c:1:51:"
            + " sharing.mps.resources[0].replicas must be a whole number of at least 2, was"
            + " \"2.5\"",
        "imex: {channelIDs: 0} | c:1:20: imex.channelIDs must be a list, was \"0\"",
        "resources: {gpus: [{name: gpu}]} | c:1:20: resources.gpus[0].pattern must be given, was"
            + " not",
        "resources: {gpus: [{pattern: a, name: \"a b\"}]} | c:1:39: resources.gpus[0].name must be"
            + " the name of a resource, such as gpu or nvidia.com/gpu: at most 63 letters, digits,"
            + " '-', '_' or '.', was \"a b\"",
        "sharing: {timeSlicing: {}} | c:1:24: sharing.timeSlicing.resources must be given, was not",
        "sharing: {mps: {resources: []}} | c:1:28: sharing.mps.resources must be a list with at"
            + " least one resource, was a list of 0",
        "sharing: {mps: {resources: [{name: gpu, replicas: 1}]}} | c:1:51:"
            + " sharing.mps.resources[0].replicas must be a whole number of at least 2, was \"1\"",
        "sharing: {mps: {resources: [{name: gpu, replicas: 99999999999}]}} | c:1:51:"
            + " sharing.mps.resources[0].replicas must be a whole number of at least 2, was"
            + " \"99999999999\"",
        "sharing: {mps: {resources: [{name: gpu, replicas: 2, devices: some}]}} | c:1:63:"
            + " sharing.mps.resources[0].devices must be all, a number of at least 1, or a list of"
            + " indices (3, \"3:1\") and UUIDs, was \"some\"",
        "sharing: {mps: {resources: [{name: gpu, replicas: 2, devices: [x]}]}} | c:1:64:"
            + " sharing.mps.resources[0].devices[0] must be an index, such as 3 or \"3:1\", or a"
            + " UUID, was \"x\"",
        "a: [ | c:1:5 is neither YAML nor JSON: expected the node content, but found '<stream"
            + " end>'",
        "just words | c:1:1 must be a mapping, was \"just words\"",
      })
  void aMistakeIsReportedWithItsPlaceRuleAndValue(String text, String problem) {
    assertThat(ConfigFile.parse("c", text).problems()).containsExactly(problem);
  }

  @Test
  void everyMistakeIsReported() {
    assertThat(
            ConfigFile.parse("c", "version: v2\nflags: {mig: none}\nimex: {required: 1}")
                .problems())
        .hasSize(3);
  }

  @Property(tries = 300)
  void whateverIsWritten_isReadOrRefused(@ForAll String text) {
    assertThat(ConfigFile.parse("c", text).flags()).isNotNull();
    assertThat(ConfigFile.parse("c", "sharing: " + text).flags()).isEqualTo(Map.of());
  }
}
