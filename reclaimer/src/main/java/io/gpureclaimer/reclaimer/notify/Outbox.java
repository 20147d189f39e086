package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.notify.Webhook.DeliveryResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BiConsumer;

/**
 * Messages that nothing depends on, on their way to one receiver. A thread of its own tries each
 * several times; when it cannot keep up, new ones are dropped. Safe for any thread.
 */
final class Outbox implements AutoCloseable {
  static final int CAPACITY = 1_000;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** How a message ended. */
  enum MessageResult {
    ACCEPTED("accepted"),
    REFUSED("refused"),
    DROPPED("dropped");

    private final String code;

    MessageResult(String code) {
      this.code = code;
    }

    /** The stable name, for metrics. */
    String code() {
      return code;
    }
  }

  private final BlockingQueue<Message> waiting = new ArrayBlockingQueue<>(CAPACITY);
  private final Webhook webhook;
  private final List<Duration> pauses;
  private final BiConsumer<MessageResult, String> ended;
  private final Thread thread;

  /**
   * @param pauses before each further try
   * @param ended called with the result of each message and its reason
   */
  Outbox(Webhook webhook, List<Duration> pauses, BiConsumer<MessageResult, String> ended) {
    this.webhook = webhook;
    this.pauses = List.copyOf(pauses);
    this.ended = ended;
    this.thread =
        Thread.ofVirtual().name("outbox-" + webhook.receiver().name()).start(this::deliver);
  }

  /** Takes a message, or drops it; never waits. */
  void put(Message message) {
    if (!waiting.offer(message)) {
      ended.accept(MessageResult.DROPPED, CAPACITY + " messages are waiting already");
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void deliver() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        deliver(waiting.take());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void deliver(Message message) throws InterruptedException {
    for (int attempt = 0; ; attempt++) {
      switch (webhook.send(message)) {
        case DeliveryResult.Accepted() -> {
          ended.accept(MessageResult.ACCEPTED, "");
          return;
        }
        case DeliveryResult.Refused(String why, var retryAfter) -> {
          if (attempt == pauses.size()) {
            ended.accept(MessageResult.REFUSED, why);
            return;
          }
          Thread.sleep(shorter(retryAfter.orElse(pauses.get(attempt)), LONGEST_PAUSE));
        }
      }
    }
  }

  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
