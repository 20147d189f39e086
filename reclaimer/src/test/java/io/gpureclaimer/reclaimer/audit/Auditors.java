package io.gpureclaimer.reclaimer.audit;

import io.prometheus.client.CollectorRegistry;
import java.time.Clock;

/** Makes auditors for the tests of other rooms. */
public final class Auditors {
  private Auditors() {}

  public static Auditor of(CollectorRegistry registry, Clock clock) {
    return new Auditor(registry, clock);
  }
}
