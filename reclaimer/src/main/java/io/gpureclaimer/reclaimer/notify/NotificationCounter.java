package io.gpureclaimer.reclaimer.notify;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** Counts messages by what became of them. Safe for any thread. */
final class NotificationCounter {
  private final Counter messages;

  NotificationCounter(CollectorRegistry registry) {
    messages =
        Counter.build(
                "gpu_reclaimer_notifications_total",
                "Messages to receivers, by what became of them.")
            .labelNames("receiver", "result")
            .register(registry);
  }

  void count(String receiver, Outbox.End end) {
    messages.labels(receiver, end.code()).inc();
  }
}
