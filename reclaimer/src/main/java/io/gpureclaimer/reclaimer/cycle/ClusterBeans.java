package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.AccessReviews;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.RecordAccess;
import io.gpureclaimer.reclaimer.cluster.UserRequests;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesAccess;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesAccess.OwnNamespace;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster;
import io.gpureclaimer.reclaimer.config.ActionsConfig;
import io.gpureclaimer.reclaimer.config.KubernetesApiConfig;
import io.gpureclaimer.reclaimer.config.LeaderConfig;
import io.gpureclaimer.reclaimer.config.PlanConfig;
import io.gpureclaimer.reclaimer.config.ReclaimerConfig;
import io.gpureclaimer.reclaimer.reclamation.OwnerRestorer;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.UUID;

/** The real cluster; who brings a cluster of his own sets {@code reclaimer.cluster: embedded}. */
@Factory
@Requires(property = "reclaimer.cluster", value = "kubernetes")
final class ClusterBeans {

  /** At the start, so that a mistake in its properties stops it; after each of them is checked. */
  @Context
  @Order(2)
  @Bean(preDestroy = "close")
  KubernetesAccess access(KubernetesApiConfig config, Clock clock, MonotonicClock monotonic) {
    return KubernetesAccess.open(config.connection(), clock, monotonic);
  }

  @Singleton
  Cluster cluster(
      KubernetesAccess access,
      KubernetesApiConfig config,
      ActionsConfig actions,
      ReclaimerConfig reclaimer,
      PlanConfig plan) {
    return access.watch(
        config.terms(
            OwnNamespace.inAPod(),
            actions.actions().ownerFields(),
            reclaimer.teamLabelIfAny(),
            plan.waitForOthers().isPositive()));
  }

  @Singleton
  OwnerRestorer restorer(KubernetesAccess access, Clock clock) {
    KubernetesCluster cluster = access.withoutWatches();
    return new OwnerRestorer(cluster, cluster, clock);
  }

  @Singleton
  AccessReviews reviews(KubernetesAccess access) {
    return access.reviews();
  }

  @Singleton
  RecordAccess records(KubernetesAccess access) {
    return access.withoutWatches();
  }

  @Singleton
  UserRequests personal(KubernetesAccess access) {
    return access.personal();
  }

  @Context
  @Order(3)
  Leadership leadership(
      KubernetesAccess access,
      KubernetesApiConfig kubernetes,
      LeaderConfig lease,
      ReclaimerConfig reclaimer) {
    lease.requireRoomFor(kubernetes.requestTimeout());
    if (!reclaimer.schedule()) {
      return new NeverLeader();
    }
    String host = System.getenv().getOrDefault("HOSTNAME", "gpu-reclaimer");
    if (reclaimer.isDryRun()) {
      return new DryRunLeadership(host);
    }
    return access.campaign(lease.terms(host + "-" + UUID.randomUUID()));
  }

  /** Never leads: for commands that only read. */
  private record NeverLeader() implements Leadership {
    @Override
    public String identity() {
      return "";
    }

    @Override
    public boolean isHeld() {
      return false;
    }

    @Override
    public String holder() {
      return "";
    }
  }

  /**
   * May always act, because a dry run writes nothing. It asks for no Lease, which would be written,
   * and which a replica that does act could lose to it.
   */
  private record DryRunLeadership(String identity) implements Leadership {
    @Override
    public boolean isHeld() {
      return true;
    }

    @Override
    public String holder() {
      return "";
    }
  }
}
