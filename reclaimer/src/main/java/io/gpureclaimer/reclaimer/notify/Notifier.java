package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.audit.Auditor.CycleListener;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.execution.Messenger;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.Setting;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.prometheus.client.CollectorRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Delivers warnings while the cycle waits, and everything else behind its back. Confined to the
 * thread of the cycle.
 *
 * <p>A warning that one of its receivers has is not sent there again when something else about it
 * fails. One that was written down or taken back is over: the next is sent to everybody. A receiver
 * that refuses or is slow is left alone for a while, so that the cycle never waits longer than
 * {@code patience} in a minute for all of them.
 */
public final class Notifier implements Messenger, CycleListener, AutoCloseable {

  /** One warning in the hands of one receiver. */
  private record Delivered(String uid, Instant idleSince, Mode mode, String receiver) {}

  private final List<Line> lines;
  private final Patience patience;
  private final Clock clock;
  private final Set<Delivered> delivered = new HashSet<>();
  private Map<String, List<String>> wishes = new HashMap<>();
  private boolean observesOnly;

  /**
   * @param receivers everybody who can get messages
   * @param timeout for one try
   * @param patience how long the cycle may wait for receivers in a minute
   */
  public Notifier(
      List<Receiver> receivers,
      Duration timeout,
      Duration patience,
      CollectorRegistry registry,
      Clock clock) {
    this(receivers, timeout, patience, Line.PAUSES, registry, clock);
  }

  Notifier(
      List<Receiver> receivers,
      Duration timeout,
      Duration patience,
      List<Duration> pauses,
      CollectorRegistry registry,
      Clock clock) {
    var counter = new NotificationCounter(registry);
    this.lines =
        receivers.stream()
            .map(receiver -> new Line(new Webhook(receiver, timeout), pauses, counter, clock))
            .toList();
    this.patience = new Patience(patience, clock);
    this.clock = clock;
  }

  /** Remembers whom the policies name, and forgets warnings that are not to be given any more. */
  @Override
  public void onPlan(CycleReport report, boolean leads) {
    wishes = new HashMap<>();
    var verdicts = new HashMap<String, Verdict>();
    for (Judgment judgment : report.judgments()) {
      String uid = judgment.verdict().workload().uid();
      wishes.put(uid, named(judgment));
      verdicts.put(uid, judgment.verdict());
    }
    if (leads) {
      tellOfBreaker(report.breaker());
    }
    delivered.removeIf(warning -> isOver(warning, verdicts.get(warning.uid())));
  }

  /** While nothing is known of a workload, nobody has taken its warning back. */
  private static boolean isOver(Delivered warning, @Nullable Verdict now) {
    return switch (now) {
      case Verdict.ToWarn(_, var idleSince, _, var mode, _, _) ->
          !idleSince.equals(warning.idleSince()) || mode != warning.mode();
      case Verdict.Unknown _ -> false;
      case null, default -> true;
    };
  }

  private void tellOfBreaker(CircuitBreaker.Status status) {
    if (status.isOpen() != observesOnly) {
      observesOnly = status.isOpen();
      breaker(
          observesOnly,
          observesOnly
              ? status.reasons().stream()
                  .map(BreakerReason::sentence)
                  .collect(Collectors.joining("; "))
              : "nothing speaks against acting any more");
    }
  }

  @Override
  public Optional<String> warn(Verdict.ToWarn verdict, Notice notice) {
    String uid = verdict.workload().uid();
    Optional<String> stranger = strangers(uid).findFirst();
    if (stranger.isPresent()) {
      return Optional.of("nobody is configured as receiver " + stranger.get());
    }
    Message message = Message.warning(verdict, notice, clock.instant());
    for (Line line : linesTo(uid)) {
      var warning = new Delivered(uid, verdict.idleSince(), verdict.mode(), line.name());
      Optional<String> failure =
          delivered.contains(warning) ? Optional.empty() : patience.spend(() -> line.send(message));
      if (failure.isPresent()) {
        return Optional.of("receiver " + line.name() + " did not take it: " + failure.get());
      }
      delivered.add(warning);
    }
    return Optional.empty();
  }

  @Override
  public void tell(Verdict verdict, Notice notice) {
    Message message = Message.about(verdict, notice, clock.instant());
    linesTo(verdict.workload().uid()).forEach(line -> line.post(message));
  }

  /** Tells everybody that the circuit breaker opened or closed. */
  public void breaker(boolean open, String why) {
    Message message = Message.breaker(open, why, clock.instant());
    lines.stream().filter(Line::always).forEach(line -> line.post(message));
  }

  @Override
  public void close() {
    lines.forEach(Line::close);
  }

  private static List<String> named(Judgment judgment) {
    return judgment.policy().stream()
        .flatMap(policy -> policy.receivers().stream())
        .map(Setting::value)
        .distinct()
        .toList();
  }

  private List<Line> linesTo(String uid) {
    List<String> named = wishes.getOrDefault(uid, List.of());
    return lines.stream().filter(line -> line.always() || named.contains(line.name())).toList();
  }

  private Stream<String> strangers(String uid) {
    Set<String> known = lines.stream().map(Line::name).collect(Collectors.toSet());
    return wishes.getOrDefault(uid, List.of()).stream().filter(name -> !known.contains(name));
  }
}
