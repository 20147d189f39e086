package io.gpureclaimer.deviceplugin;

import io.gpureclaimer.common.PackageRules;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final PackageRules RULES =
      new PackageRules(
          "deviceplugin",
          Map.ofEntries(
              Map.entry("deviceplugin.health", Set.of("common.device")),
              Map.entry(
                  "deviceplugin.health.device",
                  Set.of("deviceplugin.health", "nvml.poll", "nvml", "common.device")),
              Map.entry(
                  "deviceplugin.allocation",
                  Set.of(
                      "deviceplugin.allocation.preference",
                      "nvml.poll",
                      "common.device",
                      "common.vocabulary")),
              Map.entry("deviceplugin.allocation.preference", Set.of("nvml.poll", "common.device")),
              Map.entry(
                  "deviceplugin.config",
                  Set.of(
                      "deviceplugin.allocation",
                      "deviceplugin.allocation.preference",
                      "deviceplugin.cdi",
                      "common.vocabulary")),
              Map.entry(
                  "deviceplugin.cdi",
                  Set.of(
                      "deviceplugin.cdi.spec",
                      "deviceplugin.cdi.driver",
                      "common.files",
                      "nvml.poll",
                      "common.device",
                      "common.vocabulary")),
              Map.entry("deviceplugin.cdi.spec", Set.of()),
              Map.entry("deviceplugin.cdi.driver", Set.of("common.files")),
              Map.entry("deviceplugin.mps", Set.of("nvml", "common.device", "common.retry")),
              Map.entry("deviceplugin.plugin", Set.of("deviceplugin.allocation")),
              Map.entry(
                  "deviceplugin.kubelet",
                  Set.of(
                      "deviceplugin.plugin",
                      "deviceplugin.allocation",
                      "common.device",
                      "common.http",
                      "common.retry")),
              Map.entry(
                  "deviceplugin.labels",
                  Set.of(
                      "deviceplugin.allocation",
                      "deviceplugin.publication",
                      "nvml.poll",
                      "common.device",
                      "common.vocabulary")),
              Map.entry(
                  "deviceplugin.labels.kubernetes",
                  Set.of(
                      "deviceplugin.labels",
                      "deviceplugin.publication",
                      "deviceplugin.publication.kubernetes",
                      "common.kubernetes")),
              Map.entry("deviceplugin.publication", Set.of("common.retry")),
              Map.entry("deviceplugin.publication.kubernetes", Set.of("deviceplugin.publication")),
              Map.entry("deviceplugin.nodehealth", Set.of()),
              Map.entry(
                  "deviceplugin.nodehealth.kubernetes",
                  Set.of(
                      "deviceplugin.nodehealth",
                      "deviceplugin.publication",
                      "deviceplugin.publication.kubernetes")),
              Map.entry("deviceplugin.nodeconfig", Set.of()),
              Map.entry(
                  "deviceplugin.nodeconfig.kubernetes",
                  Set.of("deviceplugin.nodeconfig", "common.kubernetes")),
              Map.entry("deviceplugin.nodeevents", Set.of("common.retry")),
              Map.entry(
                  "deviceplugin.nodeevents.kubernetes",
                  Set.of(
                      "deviceplugin.nodeevents",
                      "deviceplugin.allocation",
                      "deviceplugin.kubelet",
                      "common.kubernetes")),
              Map.entry(
                  "deviceplugin.runtime",
                  Set.of(
                      "deviceplugin.allocation",
                      "deviceplugin.cdi",
                      "deviceplugin.config",
                      "doctor",
                      "common.files",
                      "deviceplugin.health.device",
                      "nvml.poll",
                      "deviceplugin.kubelet",
                      "deviceplugin.labels",
                      "deviceplugin.mps",
                      "deviceplugin.nodeconfig",
                      "deviceplugin.nodeevents",
                      "deviceplugin.nodehealth",
                      "deviceplugin.publication",
                      "nvml",
                      "deviceplugin.plugin",
                      "nvml.session",
                      "common.program",
                      "common.device",
                      "common.vocabulary")),
              Map.entry(
                  "deviceplugin.runtime.kubernetes",
                  Set.of(
                      "common.kubernetes",
                      "deviceplugin.kubelet",
                      "deviceplugin.labels",
                      "deviceplugin.labels.kubernetes",
                      "deviceplugin.nodehealth",
                      "deviceplugin.nodehealth.kubernetes",
                      "deviceplugin.publication",
                      "deviceplugin.nodeconfig",
                      "deviceplugin.nodeconfig.kubernetes",
                      "deviceplugin.nodeevents",
                      "deviceplugin.nodeevents.kubernetes"))));

  @Test
  void eachPackageHasARow() {
    RULES.checkThatEachPackageHasARow();
  }

  @Test
  void packagesDependOnlyOnThoseOfTheirRow() {
    RULES.checkDependencies();
  }

  @Test
  void noPackageCallsC() {
    RULES.checkThatOnly(Set.of(), "jnr..", "com.kenai..");
  }

  @Test
  void onlyKubeletAndPluginUseTheKubeletsProtocols() {
    RULES.checkThatOnly(
        Set.of("deviceplugin.kubelet", "deviceplugin.plugin"),
        "v1",
        "v1beta1",
        "io.grpc..",
        "com.google.protobuf..",
        "io.netty..");
  }

  @Test
  void onlyTheKubernetesPackagesUseFabric8() {
    RULES.checkThatOnly(
        Set.of(
            "deviceplugin.labels.kubernetes",
            "deviceplugin.nodeconfig.kubernetes",
            "deviceplugin.nodeevents.kubernetes",
            "deviceplugin.nodehealth.kubernetes",
            "deviceplugin.publication.kubernetes",
            "deviceplugin.runtime.kubernetes"),
        "io.fabric8..");
  }

  @Test
  void theClockIsInjected() {
    RULES.checkThatTheClockIsInjected();
  }
}
