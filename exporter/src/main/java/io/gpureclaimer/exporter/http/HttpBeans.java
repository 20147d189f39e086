package io.gpureclaimer.exporter.http;

import io.gpureclaimer.common.http.ConnectionGuard;
import io.gpureclaimer.common.http.ConnectionMetrics;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.config.ExporterWebConfig;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Beans of the server. */
@Factory
final class HttpBeans {

  @Singleton
  ConnectionGuard connections(ExporterWebConfig web, OwnMetrics own, MonotonicClock monotonic) {
    var guard = new ConnectionGuard(web.limits(), monotonic);
    own.add(new ConnectionMetrics("gpu_exporter", guard));
    return guard;
  }
}
