package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.config.DevicePluginConfig;
import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/** Whether the device plugin reads or writes the Node: without, the API server is never asked. */
final class NeedsOwnNode implements Condition {
  @Override
  @SuppressWarnings("rawtypes") // as Micronaut declares it
  public boolean matches(ConditionContext context) {
    return context.getBean(DevicePluginConfig.class).needsNode();
  }
}
