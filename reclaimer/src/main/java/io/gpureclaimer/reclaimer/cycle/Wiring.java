package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.act.Backoff;
import io.gpureclaimer.reclaimer.act.Messenger;
import io.gpureclaimer.reclaimer.act.Performer;
import io.gpureclaimer.reclaimer.act.Reclamation;
import io.gpureclaimer.reclaimer.act.SecondLook;
import io.gpureclaimer.reclaimer.act.WarningWriter;
import io.gpureclaimer.reclaimer.audit.MeteredSource;
import io.gpureclaimer.reclaimer.audit.RecordSink;
import io.gpureclaimer.reclaimer.audit.RecordSinks;
import io.gpureclaimer.reclaimer.audit.record.Terms;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.config.AuditConfig;
import io.gpureclaimer.reclaimer.config.BreakerConfig;
import io.gpureclaimer.reclaimer.config.ClassesConfig;
import io.gpureclaimer.reclaimer.config.DirectConfig;
import io.gpureclaimer.reclaimer.config.EvidenceConfig;
import io.gpureclaimer.reclaimer.config.NotifyConfig;
import io.gpureclaimer.reclaimer.config.PlanConfig;
import io.gpureclaimer.reclaimer.config.PolicyConfig;
import io.gpureclaimer.reclaimer.config.PrometheusConfig;
import io.gpureclaimer.reclaimer.config.ReclaimerConfig;
import io.gpureclaimer.reclaimer.config.SignalsConfig;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.direct.Agents;
import io.gpureclaimer.reclaimer.evidence.direct.DirectSource;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusSource;
import io.gpureclaimer.reclaimer.notify.Notifier;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Puts the parts together. */
@Factory
final class Wiring {
  private static final Duration WATCHES_FILL_WITHIN = Duration.ofSeconds(15);
  private static final Duration SIGNALS_REACH_BACK = Duration.ofMinutes(2);

  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Singleton
  CollectorRegistry registry() {
    return new CollectorRegistry();
  }

  /** At the start, so that a mistake in its properties stops it; after each of them is checked. */
  @Context
  @Order(1)
  ActivitySource source(
      PrometheusConfig prometheus,
      DirectConfig direct,
      SignalsConfig config,
      CollectorRegistry registry,
      Clock clock) {
    SignalLimits signals = config.limits();
    Optional<PrometheusConnection> connection = prometheus.connection();
    Optional<Agents> agents = direct.all();
    if (connection.isPresent() == agents.isPresent()) {
      throw new IllegalArgumentException(
          "exactly one of prometheus.url and direct.agents must be set, was "
              + (connection.isPresent() ? "both" : "none"));
    }
    ActivitySource source =
        connection
            .<ActivitySource>map(
                known -> new PrometheusSource(known, clock, prometheus.options(signals)))
            .orElseGet(() -> new DirectSource(agents.orElseThrow(), clock, signals));
    return new MeteredSource(source, registry);
  }

  /** Where a single command looks once, there is nothing to remember. */
  @Singleton
  SignalHistoryStore signals(SignalsConfig config, ReclaimerConfig reclaimer) {
    if (config.limits().kinds().isEmpty() || !reclaimer.schedule()) {
      return SignalHistoryStore.none();
    }
    Duration twoCycles = reclaimer.interval().multipliedBy(2);
    return new SignalHistoryStore(
        twoCycles.compareTo(SIGNALS_REACH_BACK) > 0 ? twoCycles : SIGNALS_REACH_BACK);
  }

  @Singleton
  Terms terms(
      PolicyConfig policy,
      ClassesConfig classes,
      EvidenceConfig evidence,
      NotifyConfig notify,
      ReclaimerConfig reclaimer) {
    PolicyDefaults defaults = policy.defaults(classes);
    return new Terms(
        receivers(notify, reclaimer).map(defaults::notifying).orElse(defaults), evidence.limits());
  }

  /** A single command that is given no file cannot know who there is. */
  private static Optional<Set<String>> receivers(NotifyConfig notify, ReclaimerConfig reclaimer) {
    return notify.names().or(() -> reclaimer.schedule() ? Optional.of(Set.of()) : Optional.empty());
  }

  @Singleton
  Judge judge(Terms terms) {
    return terms.judge();
  }

  @Singleton
  RecordSink records(AuditConfig config) {
    return switch (config.destination()) {
      case AuditConfig.Destination.Off() -> RecordSinks.off();
      case AuditConfig.Destination.Log() -> RecordSinks.log();
      case AuditConfig.Destination.StandardOutput() -> RecordSinks.stream(System.out);
      case AuditConfig.Destination.OneFile(var file) -> RecordSinks.file(file);
    };
  }

  @Singleton
  CircuitBreaker breaker(BreakerConfig breaker, EvidenceConfig evidence) {
    return new CircuitBreaker(breaker.limits(evidence.limits().maxSkew()));
  }

  @Singleton
  Planner planner(PlanConfig config) {
    return new Planner(config.limits());
  }

  @Singleton
  Backoff backoff(Clock clock) {
    return new Backoff(clock);
  }

  @Singleton
  Performer performer(
      Cluster cluster,
      Leadership leadership,
      ActivitySource source,
      Judge judge,
      Messenger messenger,
      Backoff backoff,
      Clock clock,
      ReclaimerConfig config) {
    var secondLook = new SecondLook(cluster, source, judge, clock);
    return new Performer(
        leadership,
        new WarningWriter(cluster, leadership, messenger, backoff, clock, config.isDryRun()),
        new Reclamation(cluster, leadership, messenger, secondLook, backoff, config.isDryRun()));
  }

  /** At the start, so that a mistake in its file stops it. */
  @Context
  @Order(1)
  @Bean(preDestroy = "close")
  Notifier notifier(NotifyConfig config, CollectorRegistry registry, Clock clock) {
    return new Notifier(config.receivers(), config.timeout(), config.patience(), registry, clock);
  }

  @Singleton
  FirstLook firstLook(ReclaimCycle cycle) {
    return new FirstLook(cycle, WATCHES_FILL_WITHIN);
  }

  @Singleton
  Impatience impatience(ReclaimerConfig config, Clock clock) {
    return new Impatience(config.interval(), clock, Impatience::asleep);
  }
}
