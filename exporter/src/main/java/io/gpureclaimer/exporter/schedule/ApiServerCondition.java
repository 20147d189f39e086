package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.config.AttributionConfig;
import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/** Whether a feature needs the API server. */
final class ApiServerCondition implements Condition {
  @Override
  @SuppressWarnings("rawtypes") // as Micronaut declares it
  public boolean matches(ConditionContext context) {
    var attribution = context.getBean(AttributionConfig.class);
    return attribution.asksForPods() || attribution.dra();
  }
}
