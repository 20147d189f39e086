package io.gpureclaimer.reclaimer.notify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to one receiver, and what became of the last try. */
final class Line implements AutoCloseable {
  static final List<Duration> PAUSES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(5));

  private static final Logger log = LoggerFactory.getLogger(Notifier.class);
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final Webhook webhook;
  private final NotificationCounter counter;
  private final Clock clock;
  private final Outbox outbox;
  private final AtomicBoolean failing = new AtomicBoolean();

  /** How long it is left alone after the next refusal. Confined to the cycle, like the others. */
  private Duration pause = FIRST;

  private Instant notBefore = Instant.MIN;
  private String lastRefusal = "";

  Line(Webhook webhook, List<Duration> pauses, NotificationCounter counter, Clock clock) {
    this.webhook = webhook;
    this.counter = counter;
    this.clock = clock;
    this.outbox = new Outbox(webhook, pauses, this::ended);
  }

  String name() {
    return webhook.receiver().name();
  }

  boolean always() {
    return webhook.receiver().always();
  }

  /** Sends it now, unless the receiver is left alone; says why not. */
  Optional<String> send(Message message) {
    Instant now = clock.instant();
    if (now.isBefore(notBefore)) {
      return Optional.of(
          lastRefusal + "; it is asked again at " + notBefore.truncatedTo(ChronoUnit.SECONDS));
    }
    return switch (webhook.send(message)) {
      case Delivery.Accepted() -> {
        pause = FIRST;
        ended(Outbox.End.ACCEPTED, "");
        yield Optional.empty();
      }
      case Delivery.Refused(String why, var retryAfter) -> {
        lastRefusal = why;
        notBefore = now.plus(shorter(retryAfter.orElse(pause), LONGEST));
        pause = shorter(pause.multipliedBy(2), LONGEST);
        ended(Outbox.End.REFUSED, why);
        yield Optional.of(why);
      }
    };
  }

  /** Sends it sometime. */
  void post(Message message) {
    outbox.put(message);
  }

  @Override
  public void close() {
    outbox.close();
  }

  private void ended(Outbox.End end, String why) {
    counter.count(name(), end);
    boolean accepted = end == Outbox.End.ACCEPTED;
    if (accepted && failing.compareAndSet(true, false)) {
      log.info("receiver {} takes messages again", name());
    }
    if (!accepted && failing.compareAndSet(false, true)) {
      log.error("receiver {} does not take messages: {}", name(), why);
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
