package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.common.http.ConnectionGuard;
import io.gpureclaimer.common.http.ConnectionMetrics;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.access.AccessControl;
import io.gpureclaimer.reclaimer.cluster.AccessReviews;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.RecordAccess;
import io.gpureclaimer.reclaimer.config.IdentityConfig;
import io.gpureclaimer.reclaimer.config.PrometheusConfig;
import io.gpureclaimer.reclaimer.config.ReclaimerConfig;
import io.gpureclaimer.reclaimer.config.ReclaimerWebConfig;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory;
import io.gpureclaimer.reclaimer.request.KeepRequests;
import io.gpureclaimer.reclaimer.request.RestoreRequests;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Beans of the server. */
@Factory
final class ReclaimerHttpBeans {

  @Singleton
  ConnectionGuard connections(
      ReclaimerWebConfig web, CollectorRegistry registry, MonotonicClock monotonic) {
    var guard = new ConnectionGuard(web.limits(), monotonic);
    new ConnectionMetrics("gpu_reclaimer", guard).register(registry);
    return guard;
  }

  /** Charts need a Prometheus; without one there are none. */
  @Singleton
  @Requires(property = "prometheus.url")
  UtilizationHistory utilization(PrometheusConfig config, Clock clock, MonotonicClock monotonic) {
    return new UtilizationHistory(config.connection().orElseThrow(), clock, monotonic);
  }

  @Singleton
  @Requires(beans = AccessReviews.class)
  AccessControl access(AccessReviews reviews, IdentityConfig config, MonotonicClock monotonic) {
    return new AccessControl(reviews, config.tokenAudiences(), monotonic);
  }

  @Singleton
  @Requires(beans = AccessControl.class)
  KeepRequests keeps(Cluster cluster, AccessControl access, Clock clock, ReclaimerConfig config) {
    return new KeepRequests(cluster, access, clock, config.isDryRun());
  }

  @Singleton
  @Requires(beans = {AccessControl.class, RecordAccess.class})
  RestoreRequests restores(
      Cluster cluster,
      RecordAccess records,
      AccessControl access,
      Clock clock,
      ReclaimerConfig config) {
    return new RestoreRequests(cluster, records, access, clock, config.isDryRun());
  }
}
