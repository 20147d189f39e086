package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.nvml.poll.GpuPoller;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Named;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * Polls the inventory for the device plugin when sampling does not do it often enough, and at once
 * when the driver reports a change. Holds no logic of its own.
 */
@Context
@Order(10)
@Requires(property = "device-plugin.enabled", value = "true")
class InventoryJob {
  private final GpuPoller poller;

  InventoryJob(GpuPoller poller, @Named("inventory") ExecutorService thread) {
    this.poller = poller;
    poller.onDue(
        () -> {
          try {
            thread.execute(this::tick);
          } catch (RejectedExecutionException _) {
            // The program is being stopped.
          }
        });
  }

  /** What is not due costs next to nothing. */
  @Scheduled(fixedDelay = "1s", scheduler = "inventory")
  void tick() {
    poller.pollIfDue();
  }
}
