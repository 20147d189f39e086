package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.AllocationBlocker;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.ResourceSettings;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.health.device.HealthChecks;
import io.gpureclaimer.deviceplugin.health.device.HealthFile;
import io.gpureclaimer.deviceplugin.health.device.HealthPolicy;
import io.gpureclaimer.deviceplugin.kubelet.KubeletState;
import io.gpureclaimer.deviceplugin.kubelet.LatencyHistogram;
import io.gpureclaimer.deviceplugin.kubelet.RegistrationOutcome;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.doctor.Outcome;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Polled;
import io.gpureclaimer.nvml.poll.PolledTestNode;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rewrite the file with {@code -Dgolden.update=true}, then read the diff. */
class PluginMetricsTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/device-plugin.prom");
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final ResourceName MIG = new ResourceName("nvidia.com/mig-1g.5gb");

  private static final GpuExposure EXPOSED = new GpuExposure(new Outcome.Warning("all", "fix it"));

  @TempDir Path folder;
  private PolledTestNode node;
  private DeviceHealth health;

  @BeforeEach
  void make() {
    node = new PolledTestNode("t4x4", folder);
    health =
        new DeviceHealth(
            new HealthPolicy(HealthChecks.ALL, Duration.ofMinutes(1), false),
            new HealthFile(folder.resolve("health.json"), folder.resolve("boot_id")),
            () -> NOON,
            () -> {});
  }

  @Test
  void reportsRegistrationDevicesHealthRequestsAndConfiguration() throws IOException {
    var before = offer(AdvertisedResources.NOTHING);
    node.play(GpuScript.broken(1, Fault.LOST));
    var offer = offer(before);
    var view =
        new PluginView(
            new Configuration.ActiveConfiguration(
                "config.yaml", null, NOON, List.of("c:1:1: is no known key")),
            null,
            offer,
            new CdiReport(Map.of(), List.of(), List.of()),
            new CdiWrites(3, 1, NOON),
            Map.of(
                node.uuids().get(2).value(),
                new AllocationBlocker(AllocationBlocker.BlockerKind.CDI, "it has no name")));
    var kubelet = new KubeletState(Map.of(GPU, watched(), MIG, alone()), null, "");

    String text = text(new PluginMetrics(() -> kubelet, () -> view, health, Optional.of(EXPOSED)));

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GOLDEN, text);
    }
    assertThat(text).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void reportsNoResource_beforeThereIsOne() throws IOException {
    var metrics =
        new PluginMetrics(
            () -> new KubeletState(Map.of(), null, ""),
            () -> PluginView.NOTHING,
            health,
            Optional.empty());

    assertThat(text(metrics).lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "gpu_device_plugin_cdi_writes_total{outcome=\"written\",} 0.0",
            "gpu_device_plugin_cdi_writes_total{outcome=\"failed\",} 0.0",
            "gpu_device_plugin_config_last_reload_successful 0.0");
  }

  private AdvertisedResources offer(AdvertisedResources before) {
    Polled survey = node.polled();
    health.polled(survey);
    return AdvertisedResources.of(
        survey.inventory(), ResourceSettings.PLAIN, health::isHealthy, before);
  }

  private static ResourceState watched() {
    return new ResourceState(
        4,
        2,
        "gpu.sock",
        true,
        NOON,
        7,
        Map.of(RegistrationOutcome.WATCHED, 2L),
        Map.of(AllocationOutcome.GRANTED, twoQuickOnes()),
        twoQuickOnes(),
        1,
        null);
  }

  private static ResourceState alone() {
    return new ResourceState(
        0,
        0,
        null,
        false,
        null,
        0,
        Map.of(RegistrationOutcome.REFUSED, 3L),
        Map.of(),
        LatencyHistogram.NONE,
        0,
        "it said no");
  }

  private static LatencyHistogram twoQuickOnes() {
    var counts = new ArrayList<Long>(Collections.nCopies(LatencyHistogram.BOUNDS.size() + 1, 2L));
    counts.set(0, 1L);
    return new LatencyHistogram(counts, Duration.ofMillis(3));
  }

  private static String text(PluginMetrics metrics) throws IOException {
    var registry = new CollectorRegistry();
    registry.register(metrics);
    var text = new StringWriter();
    TextFormat.write004(text, registry.metricFamilySamples());
    return text.toString();
  }
}
