package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesAccess;
import io.gpureclaimer.reclaimer.config.KubernetesConfig;
import io.gpureclaimer.reclaimer.config.LeaderConfig;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.UUID;

/** The real cluster; who brings a cluster of his own sets {@code reclaimer.cluster: embedded}. */
@Factory
@Requires(property = "reclaimer.cluster", value = "kubernetes")
final class KubernetesWiring {

  @Singleton
  @Bean(preDestroy = "close")
  KubernetesAccess access(KubernetesConfig config, Clock clock) {
    return KubernetesAccess.open(config.connection(), clock);
  }

  @Singleton
  Cluster cluster(KubernetesAccess access, KubernetesConfig config) {
    return access.watch(config.staleAfter());
  }

  @Singleton
  @Requires(property = "reclaimer.schedule", value = "true")
  Leadership leadership(KubernetesAccess access, LeaderConfig config) {
    String host = System.getenv().getOrDefault("HOSTNAME", "gpu-reclaimer");
    return access.campaign(config.terms(host + "-" + UUID.randomUUID()));
  }

  @Singleton
  @Requires(property = "reclaimer.schedule", value = "false")
  Leadership onlooker() {
    return new Onlooker();
  }
}
