package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.Auditor.CycleListener;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.execution.Messenger;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler.ReconcileStep.Transition;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Delivers warnings while the cycle waits, and other messages in the background. Confined to the
 * thread of the cycle.
 *
 * <p>A receiver that accepted a warning does not get it again when another receiver fails. After
 * the warning was written or withdrawn, the next one goes to all receivers. A receiver that refuses
 * or is slow gets a pause, so the cycle never waits longer than {@code patience} in a minute.
 */
public final class Notifier implements Messenger, CycleListener, AutoCloseable {

  /** Warning that a receiver accepted. */
  private record Delivered(String uid, Instant idleSince, Mode mode, String receiver) {}

  private final List<ReceiverChannel> channels;
  private final WaitBudget waits;
  private final Clock clock;
  private final Set<Delivered> delivered = new HashSet<>();
  private Map<String, List<String>> namedReceivers = new HashMap<>();
  private boolean observesOnly;

  /**
   * @param patience how long the cycle may wait for all receivers in a minute
   */
  public Notifier(
      List<Receiver> receivers,
      Duration timeout,
      Duration patience,
      CollectorRegistry registry,
      Clock clock,
      MonotonicClock monotonic) {
    this(receivers, timeout, patience, ReceiverChannel.PAUSES, registry, clock, monotonic);
  }

  Notifier(
      List<Receiver> receivers,
      Duration timeout,
      Duration patience,
      List<Duration> pauses,
      CollectorRegistry registry,
      Clock clock,
      MonotonicClock monotonic) {
    Counter counter = counter(registry);
    this.channels =
        receivers.stream()
            .map(
                receiver ->
                    new ReceiverChannel(new Webhook(receiver, timeout), pauses, counter, clock))
            .toList();
    this.waits = new WaitBudget(patience, clock, monotonic);
    this.clock = clock;
  }

  static Counter counter(CollectorRegistry registry) {
    return Counter.build("gpu_reclaimer_notifications_total", "Messages to receivers, by result.")
        .labelNames("receiver", "result")
        .register(registry);
  }

  /**
   * Stores the receivers that the policies name and drops warnings that are no longer due. While an
   * owner is reclaimed, its receivers stay: without pods it has no policy.
   */
  @Override
  public void onPlan(CycleReport report, boolean leads) {
    Map<String, List<String>> before = namedReceivers;
    namedReceivers = new HashMap<>();
    report.cluster().reclamations().stream()
        .flatMap(List::stream)
        .flatMap(record -> record.status().stream())
        .filter(progress -> !progress.state().isFinal())
        .map(progress -> progress.owner().uid())
        .forEach(uid -> namedReceivers.put(uid, before.getOrDefault(uid, List.of())));
    var verdicts = new HashMap<String, Verdict>();
    for (Judgment judgment : report.judgments()) {
      String uid = judgment.verdict().workload().uid();
      namedReceivers.put(uid, named(judgment));
      verdicts.put(uid, judgment.verdict());
    }
    if (leads) {
      onBreaker(report.breaker());
    }
    delivered.removeIf(warning -> isOver(warning, verdicts.get(warning.uid())));
  }

  /** While the state of a workload is unknown, its warning stays. */
  private static boolean isOver(Delivered warning, @Nullable Verdict now) {
    return switch (now) {
      case Verdict.ToWarn(_, var idleSince, _, var mode, _, _, _) ->
          !idleSince.equals(warning.idleSince()) || mode != warning.mode();
      case Verdict.Unknown _ -> false;
      case null, default -> true;
    };
  }

  private void onBreaker(CircuitBreaker.BreakerStatus status) {
    if (status.isOpen() != observesOnly) {
      observesOnly = status.isOpen();
      breaker(
          observesOnly,
          observesOnly
              ? status.reasons().stream()
                  .map(BreakerReason::sentence)
                  .collect(Collectors.joining("; "))
              : "the evidence is reliable again");
    }
  }

  @Override
  public Optional<String> warn(Verdict.ToWarn verdict, Notice notice) {
    String uid = verdict.workload().uid();
    Optional<String> unknown = unknownReceivers(uid).findFirst();
    if (unknown.isPresent()) {
      return Optional.of("no receiver is configured with the name " + unknown.get());
    }
    Message message = Message.warning(verdict, notice, clock.instant());
    for (ReceiverChannel channel : channelsTo(uid)) {
      var warning = new Delivered(uid, verdict.idleSince(), verdict.mode(), channel.name());
      Optional<String> failure =
          delivered.contains(warning) ? Optional.empty() : waits.spend(() -> channel.send(message));
      if (failure.isPresent()) {
        return Optional.of("receiver " + channel.name() + " did not take it: " + failure.get());
      }
      delivered.add(warning);
    }
    return Optional.empty();
  }

  @Override
  public void send(Verdict verdict, Notice notice) {
    Message message = Message.about(verdict, notice, clock.instant());
    channelsTo(verdict.workload().uid()).forEach(channel -> channel.post(message));
  }

  @Override
  public void onTransition(Transition transition) {
    topic(transition.progress().state())
        .map(topic -> Message.about(transition, topic, clock.instant()))
        .ifPresent(
            message ->
                channelsTo(transition.progress().owner().uid())
                    .forEach(channel -> channel.post(message)));
  }

  private static Optional<Message.Topic> topic(ReclamationState state) {
    return switch (state) {
      case RESTORED -> Optional.of(Message.Topic.RESTORED);
      case CONTESTED -> Optional.of(Message.Topic.CONTESTED);
      case INTENDED, ACTING, RECLAIMED, EVICTED, RESTORING, SUPERSEDED, FAILED -> Optional.empty();
    };
  }

  /** Reports to all permanent receivers that the circuit breaker opened or closed. */
  public void breaker(boolean open, String why) {
    Message message = Message.breaker(open, why, clock.instant());
    channels.stream().filter(ReceiverChannel::always).forEach(channel -> channel.post(message));
  }

  @Override
  public void close() {
    channels.forEach(ReceiverChannel::close);
  }

  private static List<String> named(Judgment judgment) {
    return judgment.policy().stream()
        .flatMap(policy -> policy.receivers().stream())
        .map(Setting::value)
        .distinct()
        .toList();
  }

  private List<ReceiverChannel> channelsTo(String uid) {
    List<String> named = namedReceivers.getOrDefault(uid, List.of());
    return channels.stream()
        .filter(channel -> channel.always() || named.contains(channel.name()))
        .toList();
  }

  private Stream<String> unknownReceivers(String uid) {
    Set<String> known = channels.stream().map(ReceiverChannel::name).collect(Collectors.toSet());
    return namedReceivers.getOrDefault(uid, List.of()).stream()
        .filter(name -> !known.contains(name));
  }

  /** Time that the cycle may wait for receivers in a minute. Confined to the cycle. */
  private static final class WaitBudget {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Duration allowed;
    private final Clock clock;
    private final MonotonicClock monotonic;
    private Instant since = Instant.MIN;
    private Duration spent = Duration.ZERO;

    WaitBudget(Duration allowed, Clock clock, MonotonicClock monotonic) {
      this.allowed = allowed;
      this.clock = clock;
      this.monotonic = monotonic;
    }

    /** Waits for a result, or reports at once that no time is left. */
    Optional<String> spend(Supplier<Optional<String>> call) {
      Instant now = clock.instant();
      if (since.isBefore(now.minus(MINUTE))) {
        since = now;
        spent = Duration.ZERO;
      }
      if (spent.compareTo(allowed) >= 0) {
        return Optional.of(
            "the receivers have taken "
                + spent.toMillis()
                + " ms of this minute, the rest has to wait");
      }
      long start = monotonic.nanos();
      Optional<String> failure = call.get();
      spent = spent.plusNanos(monotonic.nanos() - start);
      return failure;
    }
  }
}
