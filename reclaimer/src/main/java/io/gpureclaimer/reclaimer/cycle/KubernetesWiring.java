package io.gpureclaimer.reclaimer.cycle;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster;
import io.gpureclaimer.reclaimer.cluster.kubernetes.connection.KubernetesConnection;
import io.gpureclaimer.reclaimer.cluster.kubernetes.lease.LeaseLeadership;
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
  KubernetesClient client(KubernetesConfig config) {
    return KubernetesConnection.ofThisProcess().open(config.connection());
  }

  @Singleton
  @Bean(typed = Cluster.class, preDestroy = "close")
  KubernetesCluster cluster(KubernetesClient client, KubernetesConfig config, Clock clock) {
    return KubernetesCluster.start(client, config.watches(), clock);
  }

  @Singleton
  @Bean(typed = Leadership.class, preDestroy = "close")
  @Requires(property = "reclaimer.schedule", value = "true")
  LeaseLeadership leadership(KubernetesClient client, LeaderConfig config, Clock clock) {
    String identity = System.getenv().getOrDefault("HOSTNAME", "gpu-reclaimer");
    return LeaseLeadership.campaign(
        client, config.terms(identity + "-" + UUID.randomUUID()), clock);
  }

  @Singleton
  @Requires(property = "reclaimer.schedule", value = "false")
  Leadership onlooker() {
    return new Onlooker();
  }
}
