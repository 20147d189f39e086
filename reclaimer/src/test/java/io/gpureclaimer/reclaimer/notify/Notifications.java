package io.gpureclaimer.reclaimer.notify;

import io.prometheus.client.CollectorRegistry;

/** Messages for the tests of other packages. */
public final class Notifications {
  private Notifications() {}

  /** One message is counted. */
  public static void count(CollectorRegistry registry) {
    Notifier.counter(registry).labels("platform", Outbox.MessageResult.ACCEPTED.code()).inc();
  }
}
