package io.gpureclaimer.reclaimer.notify;

import io.prometheus.client.CollectorRegistry;

/** Messages for the tests of other rooms. */
public final class Notifications {
  private Notifications() {}

  /** One message is counted. */
  public static void count(CollectorRegistry registry) {
    new NotificationCounter(registry).count("platform", Outbox.End.ACCEPTED);
  }
}
