package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.MeteredSource;
import io.gpureclaimer.reclaimer.audit.RecordSink;
import io.gpureclaimer.reclaimer.audit.TeamLabel;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.config.ActionsConfig;
import io.gpureclaimer.reclaimer.config.AuditConfig;
import io.gpureclaimer.reclaimer.config.BreakerConfig;
import io.gpureclaimer.reclaimer.config.CheckpointConfig;
import io.gpureclaimer.reclaimer.config.ClassesConfig;
import io.gpureclaimer.reclaimer.config.DirectConfig;
import io.gpureclaimer.reclaimer.config.EvidenceConfig;
import io.gpureclaimer.reclaimer.config.NotifyConfig;
import io.gpureclaimer.reclaimer.config.PlanConfig;
import io.gpureclaimer.reclaimer.config.PolicyConfig;
import io.gpureclaimer.reclaimer.config.PrometheusConfig;
import io.gpureclaimer.reclaimer.config.ReclaimerConfig;
import io.gpureclaimer.reclaimer.config.SignalsConfig;
import io.gpureclaimer.reclaimer.cycle.CycleJob.StartupRetry;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.direct.DirectSource;
import io.gpureclaimer.reclaimer.evidence.direct.DirectSource.AgentTargets;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusSource;
import io.gpureclaimer.reclaimer.execution.Checkpoints;
import io.gpureclaimer.reclaimer.execution.Checkpoints.CheckpointLimits;
import io.gpureclaimer.reclaimer.execution.Messenger;
import io.gpureclaimer.reclaimer.execution.NominatedNodes;
import io.gpureclaimer.reclaimer.execution.PlanExecutor;
import io.gpureclaimer.reclaimer.execution.Postponements;
import io.gpureclaimer.reclaimer.execution.PreActionCheck;
import io.gpureclaimer.reclaimer.execution.WarningWriter;
import io.gpureclaimer.reclaimer.notify.CheckpointWebhook;
import io.gpureclaimer.reclaimer.notify.Notifier;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.VictimCost;
import io.gpureclaimer.reclaimer.policy.CheckpointTargets;
import io.gpureclaimer.reclaimer.policy.Policies;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.reclamation.OwnerReclaimer;
import io.gpureclaimer.reclaimer.reclamation.PodEvictor;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler;
import io.gpureclaimer.reclaimer.reclamation.RestoreTriggers;
import io.gpureclaimer.reclaimer.reclamation.UnfinishedRecords;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Beans of the program, apart from the cluster. */
@Factory
final class ReclaimerBeans {
  private static final Duration WATCHES_FILL_WITHIN = Duration.ofSeconds(15);

  /** Nodes of pending pods are nominated again for so many cycles that do not end. */
  private static final int CYCLES_TO_NOMINATE = 3;

  private static final Duration SIGNALS_REACH_BACK = Duration.ofMinutes(2);

  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Singleton
  MonotonicClock monotonicClock() {
    return MonotonicClock.SYSTEM;
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
      PolicyConfig policy,
      CollectorRegistry registry,
      Clock clock,
      MonotonicClock monotonic) {
    SignalLimits signals = limits(config, policy);
    Optional<PrometheusConnection> connection = prometheus.connection();
    Optional<AgentTargets> agents = direct.all();
    if (connection.isPresent() == agents.isPresent()) {
      throw new IllegalArgumentException(
          "exactly one of prometheus.url and direct.agents must be set, was "
              + (connection.isPresent() ? "both" : "none"));
    }
    ActivitySource source =
        connection
            .<ActivitySource>map(
                known -> new PrometheusSource(known, clock, prometheus.options(signals)))
            .orElseGet(() -> new DirectSource(agents.orElseThrow(), clock, monotonic, signals));
    return new MeteredSource(source, registry, monotonic);
  }

  /** An agent records the last of its signals only, so that all of them must count. */
  private static SignalLimits limits(SignalsConfig config, PolicyConfig policy) {
    SignalLimits limits = config.limits();
    List<String> vetoes = policy.vetoes();
    boolean allCount =
        limits.ofBoards().stream().map(Signal.SignalKind::code).allMatch(vetoes::contains);
    return allCount ? limits : limits.withoutAgents();
  }

  /** A single command observes once, so there is no history. */
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
  JudgmentTerms terms(
      PolicyConfig policy,
      ClassesConfig classes,
      EvidenceConfig evidence,
      NotifyConfig notify,
      CheckpointConfig checkpoint,
      ActionsConfig actions,
      ReclaimerConfig reclaimer) {
    PolicyDefaults defaults = policy.defaults(classes);
    return new JudgmentTerms(
        receivers(notify, reclaimer)
            .map(defaults::notifying)
            .orElse(defaults)
            .calling(checkpoint.targets()),
        evidence.limits(),
        actions.actions());
  }

  /** A single command that is given no file cannot know who there is. */
  private static Optional<Set<String>> receivers(NotifyConfig notify, ReclaimerConfig reclaimer) {
    return notify.names().or(() -> reclaimer.schedule() ? Optional.of(Set.of()) : Optional.empty());
  }

  @Singleton
  Judge judge(JudgmentTerms terms) {
    return terms.judge();
  }

  @Singleton
  PastOfWorkloads past(ActivitySource source, EvidenceConfig evidence) {
    return new PastOfWorkloads(source, evidence.past());
  }

  @Singleton
  TeamLabel team(ReclaimerConfig config) {
    return new TeamLabel(config.teamLabelIfAny());
  }

  @Singleton
  RecordSink records(AuditConfig config) {
    return switch (config.destination()) {
      case AuditConfig.Destination.Off() -> RecordSink.off();
      case AuditConfig.Destination.Log() -> RecordSink.log();
      case AuditConfig.Destination.StandardOutput() -> RecordSink.stream(System.out);
      case AuditConfig.Destination.OneFile(var file) -> RecordSink.file(file);
    };
  }

  @Singleton
  CircuitBreaker breaker(BreakerConfig breaker, EvidenceConfig evidence) {
    return new CircuitBreaker(breaker.limits(evidence.limits().maxSkew()));
  }

  @Singleton
  VictimCost cost() {
    return VictimCost.EXPECTED_LOSS;
  }

  @Singleton
  Planner planner(PlanConfig config, VictimCost cost) {
    return new Planner(config.limits(), cost);
  }

  @Singleton
  Postponements postponements(Clock clock) {
    return new Postponements(clock);
  }

  @Singleton
  PlanExecutor executor(
      Cluster cluster,
      Leadership leadership,
      ActivitySource source,
      Judge judge,
      Messenger messenger,
      Postponements postponements,
      Checkpoints checkpoints,
      UnfinishedRecords unfinished,
      Clock clock,
      ReclaimerConfig config) {
    boolean dryRun = config.isDryRun();
    return new PlanExecutor(
        cluster,
        leadership,
        messenger,
        new WarningWriter(cluster, leadership, messenger, postponements, clock, dryRun),
        new PreActionCheck(cluster, source, judge, clock),
        checkpoints,
        new OwnerReclaimer(cluster, leadership, unfinished, clock),
        new PodEvictor(cluster, leadership, clock),
        postponements,
        dryRun);
  }

  /** A dry run calls no hook. */
  @Singleton
  Checkpoints checkpoints(CheckpointConfig config, Clock clock, ReclaimerConfig reclaimer) {
    return new Checkpoints(
        reclaimer.isDryRun() ? CheckpointTargets.NONE : config.targets(),
        new CheckpointLimits(config.timeout(), config.attempts()),
        new CheckpointWebhook(Optional.ofNullable(config.caFile()), clock),
        clock);
  }

  /** A dry run makes room for no pod. */
  @Singleton
  NominatedNodes nominatedNodes(
      Cluster cluster,
      Leadership leadership,
      Clock clock,
      PlanConfig plan,
      ReclaimerConfig reclaimer) {
    return new NominatedNodes(
        cluster,
        leadership,
        clock,
        plan.nominateNodes() && !reclaimer.isDryRun(),
        reclaimer.interval().multipliedBy(CYCLES_TO_NOMINATE));
  }

  @Singleton
  UnfinishedRecords unfinishedRecords(Cluster cluster, Leadership leadership, Clock clock) {
    return new UnfinishedRecords(cluster, leadership, clock);
  }

  @Singleton
  ReclamationReconciler keeper(
      Cluster cluster,
      Leadership leadership,
      UnfinishedRecords unfinished,
      JudgmentTerms terms,
      ActionsConfig actions,
      Clock clock,
      ReclaimerConfig config) {
    return new ReclamationReconciler(
        cluster,
        leadership,
        unfinished,
        new RestoreTriggers(new Policies(terms.defaults()), actions.demandSettles()),
        clock,
        config.isDryRun());
  }

  /** At the start, so that a mistake in its file stops it. */
  @Context
  @Order(1)
  @Bean(preDestroy = "close")
  Notifier notifier(
      NotifyConfig config, CollectorRegistry registry, Clock clock, MonotonicClock monotonic) {
    return new Notifier(
        config.receivers(), config.timeout(), config.patience(), registry, clock, monotonic);
  }

  @Singleton
  StartupWait startupWait(ReclaimCycle cycle, MonotonicClock monotonic) {
    return new StartupWait(cycle, WATCHES_FILL_WITHIN, monotonic);
  }

  @Singleton
  StartupRetry startupRetry(ReclaimerConfig config, Clock clock) {
    return new StartupRetry(config.interval(), clock, StartupRetry::asleep);
  }
}
