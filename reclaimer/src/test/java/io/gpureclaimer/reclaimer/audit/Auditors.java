package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.prometheus.client.CollectorRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Makes auditors for the tests of other rooms. */
public final class Auditors {
  private Auditors() {}

  public static Auditor of(CollectorRegistry registry, Clock clock) {
    return of(registry, RecordSink.off(), clock);
  }

  /** One that hands its records on. */
  public static Auditor of(CollectorRegistry registry, RecordSink sink, Clock clock) {
    return of(registry, sink, leading(), clock);
  }

  /** One of a replica that may not lead. */
  public static Auditor of(CollectorRegistry registry, Leadership leadership, Clock clock) {
    return of(registry, RecordSink.off(), leadership, clock);
  }

  private static Auditor of(
      CollectorRegistry registry, RecordSink sink, Leadership leadership, Clock clock) {
    return new Auditor(
        registry,
        new JudgmentTerms(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS),
        sink,
        List.of(),
        leadership,
        new TeamLabel(Optional.of("team")),
        clock,
        MonotonicClock.SYSTEM);
  }

  private static Leadership leading() {
    return SimulatedLeadership.alone("auditor");
  }
}
