package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.notify.Webhook.DeliveryResult;
import io.prometheus.client.Counter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivery of messages to one receiver, with a pause after each refusal. Warnings are sent by the
 * thread of the cycle, other messages by the outbox.
 */
final class ReceiverChannel implements AutoCloseable {
  static final List<Duration> PAUSES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(5));

  private static final Logger log = LoggerFactory.getLogger(Notifier.class);
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final Webhook webhook;
  private final Counter counter;
  private final Clock clock;
  private final Outbox outbox;
  private final AtomicBoolean failing = new AtomicBoolean();

  /** Pause after the next refusal. Confined to the cycle, like the fields below. */
  private Duration pause = FIRST;

  private Instant notBefore = Instant.MIN;
  private String lastRefusal = "";

  ReceiverChannel(Webhook webhook, List<Duration> pauses, Counter counter, Clock clock) {
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

  /** Sends a message now, unless the receiver is in a pause; the reason of a failure, if any. */
  Optional<String> send(Message message) {
    Instant now = clock.instant();
    if (now.isBefore(notBefore)) {
      return Optional.of(
          lastRefusal + "; it is asked again at " + notBefore.truncatedTo(ChronoUnit.SECONDS));
    }
    return switch (webhook.send(message)) {
      case DeliveryResult.Accepted() -> {
        pause = FIRST;
        ended(Outbox.MessageResult.ACCEPTED, "");
        yield Optional.empty();
      }
      case DeliveryResult.Refused(String why, var retryAfter) -> {
        lastRefusal = why;
        notBefore = now.plus(Outbox.shorter(retryAfter.orElse(pause), LONGEST));
        pause = Outbox.shorter(pause.multipliedBy(2), LONGEST);
        ended(Outbox.MessageResult.REFUSED, why);
        yield Optional.of(why);
      }
    };
  }

  /** Puts a message into the outbox. */
  void post(Message message) {
    outbox.put(message);
  }

  @Override
  public void close() {
    outbox.close();
  }

  private void ended(Outbox.MessageResult end, String why) {
    counter.labels(name(), end.code()).inc();
    boolean accepted = end == Outbox.MessageResult.ACCEPTED;
    if (accepted && failing.compareAndSet(true, false)) {
      log.info("receiver {} accepts messages again", name());
    }
    if (!accepted && failing.compareAndSet(false, true)) {
      log.error("receiver {} does not accept messages: {}", name(), why);
    }
  }
}
