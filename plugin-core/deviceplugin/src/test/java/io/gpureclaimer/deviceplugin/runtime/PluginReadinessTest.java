package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import io.gpureclaimer.deviceplugin.kubelet.KubeletState;
import io.gpureclaimer.deviceplugin.kubelet.LatencyHistogram;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PluginReadinessTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
  private static final ResourceName GPU = new ResourceName("nvidia.com/gpu");
  private static final KubeletState WATCHED = kubelet(resource(NOON, null));

  @Test
  void isReady_whileTheKubeletWatchesEveryResource() {
    assertThat(readiness(view(NOON, null), WATCHED)).isEqualTo(new Readiness.Ready());
  }

  @Test
  void isReady_onANodeWithoutGpus() {
    assertThat(readiness(view(NOON, null), new KubeletState(Map.of(), null, "")))
        .isEqualTo(new Readiness.Ready());
  }

  @Test
  void isNotReady_beforeThereIsAConfiguration() {
    assertThat(readiness(view(null, null), WATCHED))
        .isEqualTo(new Readiness.NotReady("device plugin: no configuration is in use"));
  }

  @Test
  void isNotReady_whileTheDriverIsDown() {
    assertThat(readiness(view(NOON, "no library"), WATCHED))
        .isEqualTo(new Readiness.NotReady("device plugin: the driver is down: no library"));
  }

  @Test
  void isNotReady_whileThereIsNoKubelet() {
    assertThat(
            readiness(
                view(NOON, null),
                new KubeletState(Map.of(GPU, resource(NOON, null)), "kubelet.sock is missing", "")))
        .isEqualTo(new Readiness.NotReady("device plugin: kubelet.sock is missing"));
  }

  @Test
  void isNotReady_whileTheKubeletDoesNotWatchAResource() {
    assertThat(readiness(view(NOON, null), kubelet(resource(null, null))))
        .isEqualTo(
            new Readiness.NotReady("device plugin: the kubelet does not watch nvidia.com/gpu"));
    assertThat(readiness(view(NOON, null), kubelet(resource(null, "it said no"))))
        .isEqualTo(
            new Readiness.NotReady(
                "device plugin: the kubelet does not watch nvidia.com/gpu: it said no"));
  }

  private static Readiness readiness(PluginView view, KubeletState kubelet) {
    return new PluginReadiness(() -> view, () -> kubelet).readiness();
  }

  private static PluginView view(@Nullable Instant configured, @Nullable String driverDown) {
    return new PluginView(
        new Configuration.ActiveConfiguration("config.yaml", null, configured, List.of()),
        driverDown,
        AdvertisedResources.NOTHING,
        new CdiReport(Map.of(), List.of(), List.of()),
        CdiWrites.NONE,
        Map.of());
  }

  private static KubeletState kubelet(ResourceState resource) {
    return new KubeletState(Map.of(GPU, resource), null, "");
  }

  private static ResourceState resource(@Nullable Instant watched, @Nullable String error) {
    return new ResourceState(
        8, 8, "gpu.sock", true, watched, 1, Map.of(), Map.of(), LatencyHistogram.NONE, 0, error);
  }
}
