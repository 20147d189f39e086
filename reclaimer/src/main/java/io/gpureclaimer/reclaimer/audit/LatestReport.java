package io.gpureclaimer.reclaimer.audit;

import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The one hand-over between the cycle and whoever shows it. */
@Singleton
public class LatestReport {
  private final AtomicReference<@Nullable CycleReport> latest = new AtomicReference<>();

  public void publish(CycleReport report) {
    latest.set(report);
  }

  /** The newest finished cycle; empty before the first. */
  public Optional<CycleReport> get() {
    return Optional.ofNullable(latest.get());
  }
}
