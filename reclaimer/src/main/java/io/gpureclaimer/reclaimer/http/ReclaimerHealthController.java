package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.config.ReclaimerConfig;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Alive; and ready while cycles finish. */
@Controller
@Produces("text/plain; charset=utf-8")
final class ReclaimerHealthController {
  /** So many intervals without a finished cycle are too many; the work itself may take a minute. */
  private static final int MISSED = 3;

  /** The questions of a look may take three minutes, and the acts that follow some more. */
  private static final Duration WORK = Duration.ofMinutes(5);

  private final LatestReport latest;
  private final Clock clock;
  private final Duration patience;

  ReclaimerHealthController(LatestReport latest, Clock clock, ReclaimerConfig config) {
    this.latest = latest;
    this.clock = clock;
    this.patience = config.interval().multipliedBy(MISSED).plus(WORK);
  }

  @Get("/health")
  String health() {
    return "OK\n";
  }

  @Get("/ready")
  HttpResponse<String> ready() {
    Optional<CycleReport> report = latest.get();
    if (report.isEmpty()) {
      return notReady("no cycle has finished yet");
    }
    Duration age = Duration.between(report.get().at(), clock.instant());
    return age.compareTo(patience) > 0
        ? notReady("the last cycle that finished began " + age.toSeconds() + " s ago")
        : HttpResponse.ok("ready\n");
  }

  private static HttpResponse<String> notReady(String why) {
    return HttpResponse.<String>status(HttpStatus.SERVICE_UNAVAILABLE).body(why + "\n");
  }
}
