package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.audit.LatestReport;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.PlanText;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.time.temporal.ChronoUnit;

/** The newest report as text, the same that the commands {@code plan} and {@code explain} print. */
@Controller
@Produces("text/plain; charset=utf-8")
final class ReportController {
  private static final String NONE_YET = "No cycle has finished yet.\n";

  private final LatestReport latest;

  ReportController(LatestReport latest) {
    this.latest = latest;
  }

  @Get("/plan")
  HttpResponse<String> plan() {
    return latest
        .get()
        .map(
            report ->
                HttpResponse.ok(
                    "As of "
                        + report.at().truncatedTo(ChronoUnit.SECONDS)
                        + "\n\n"
                        + PlanText.of(report)))
        .orElseGet(() -> HttpResponse.<String>notFound().body(NONE_YET));
  }

  @Get("/explain/{namespace}/{pod}")
  HttpResponse<String> explain(String namespace, String pod) {
    return latest
        .get()
        .map(
            report ->
                ExplainText.of(report, namespace, pod)
                    .map(HttpResponse::ok)
                    .orElseGet(
                        () ->
                            HttpResponse.<String>notFound()
                                .body(
                                    namespace + "/" + pod + " requests no GPU or is not there.\n")))
        .orElseGet(() -> HttpResponse.<String>notFound().body(NONE_YET));
  }
}
