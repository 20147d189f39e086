package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.deviceplugin.health.device.DeviceHealth;
import io.gpureclaimer.deviceplugin.kubelet.PluginHost;
import io.gpureclaimer.deviceplugin.runtime.GpuExposure;
import io.gpureclaimer.deviceplugin.runtime.NodePlugin;
import io.gpureclaimer.deviceplugin.runtime.PluginMetrics;
import io.gpureclaimer.deviceplugin.runtime.PluginTrigger;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** Runs the device plugin on a thread of its own. Holds no logic of its own. */
@Context
@Order(10)
@Requires(bean = NodePlugin.class)
class DevicePluginJob {
  private final NodePlugin plugin;
  private final PluginHost host;

  DevicePluginJob(
      NodePlugin plugin,
      PluginHost host,
      DeviceHealth health,
      Optional<GpuExposure> exposure,
      OwnMetrics own,
      PluginTrigger trigger,
      @Named("device-plugin") ExecutorService thread) {
    this.plugin = plugin;
    this.host = host;
    own.add(new PluginMetrics(host::state, plugin::view, health, exposure));
    trigger.bind(thread, plugin);
  }

  /** What is not due costs next to nothing. */
  @Scheduled(fixedDelay = "1s", scheduler = "device-plugin")
  void tick() {
    plugin.tick();
  }

  /** The kubelet gets empty lists. */
  @PreDestroy
  void stop() {
    host.close();
    plugin.close();
  }
}
