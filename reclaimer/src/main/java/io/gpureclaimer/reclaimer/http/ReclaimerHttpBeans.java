package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.common.http.ConnectionGuard;
import io.gpureclaimer.common.http.ConnectionMetrics;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.config.WebConfig;
import io.micronaut.context.annotation.Factory;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;

/** Beans of the server. */
@Factory
final class ReclaimerHttpBeans {

  @Singleton
  ConnectionGuard connections(WebConfig web, CollectorRegistry registry, MonotonicClock monotonic) {
    var guard = new ConnectionGuard(web.limits(), monotonic);
    new ConnectionMetrics("gpu_reclaimer", guard).register(registry);
    return guard;
  }
}
