package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.common.program.Readiness.NotReady;
import io.gpureclaimer.common.program.Readiness.Ready;
import io.gpureclaimer.common.program.ReadinessCheck;
import io.gpureclaimer.deviceplugin.kubelet.KubeletState;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Ready while pods can get devices. A node without GPUs is as ready as it can be. */
public final class PluginReadiness implements ReadinessCheck {
  private final Supplier<PluginView> view;
  private final Supplier<KubeletState> kubelet;

  public PluginReadiness(Supplier<PluginView> view, Supplier<KubeletState> kubelet) {
    this.view = view;
    this.kubelet = kubelet;
  }

  @Override
  public Readiness readiness() {
    return blocker().<Readiness>map(NotReady::new).orElseGet(Ready::new);
  }

  private Optional<String> blocker() {
    PluginView seen = view.get();
    KubeletState state = kubelet.get();
    if (seen.configuration().since() == null) {
      return Optional.of("device plugin: no configuration is in use");
    }
    if (seen.driverDown() != null) {
      return Optional.of("device plugin: the driver is down: " + seen.driverDown());
    }
    if (state.kubeletMissing() != null) {
      return Optional.of("device plugin: " + state.kubeletMissing());
    }
    return state.resources().entrySet().stream()
        .filter(entry -> !entry.getValue().watched())
        .findFirst()
        .map(PluginReadiness::unwatched);
  }

  private static String unwatched(Map.Entry<?, ResourceState> resource) {
    String error = resource.getValue().lastError();
    return "device plugin: the kubelet does not watch "
        + resource.getKey()
        + (error == null ? "" : ": " + error);
  }
}
