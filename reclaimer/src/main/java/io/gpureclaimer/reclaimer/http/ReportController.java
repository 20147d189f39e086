package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.PlanJson;
import io.gpureclaimer.reclaimer.show.PlanText;
import io.gpureclaimer.reclaimer.show.ReclamationJson;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The newest report, the same that the commands {@code plan} and {@code explain} print: as text, or
 * as JSON for who asks for it.
 */
@Controller
@Produces({ReportController.TEXT, MediaType.APPLICATION_JSON})
final class ReportController {
  static final String TEXT = "text/plain; charset=utf-8";

  private static final String NONE_YET = "No cycle has finished yet.\n";

  private final LatestReport latest;

  ReportController(LatestReport latest) {
    this.latest = latest;
  }

  @Get("/plan")
  HttpResponse<byte[]> plan(HttpRequest<?> request) {
    Optional<CycleReport> report = latest.get();
    if (report.isEmpty()) {
      return nothing(NONE_YET);
    }
    return wantsJson(request) ? json(PlanJson.of(report.get())) : text(dated(report.get()));
  }

  /** The records of actions on owners, from the watch. */
  @Get("/api/v1/reclamations")
  HttpResponse<byte[]> reclamations() {
    Optional<CycleReport> report = latest.get();
    if (report.isEmpty()) {
      return nothing(NONE_YET);
    }
    return ReclamationJson.list(report.get())
        .map(ReportController::json)
        .orElseGet(() -> nothing("The records of actions on owners cannot be read.\n"));
  }

  @Get("/explain/{namespace}/{pod}")
  HttpResponse<byte[]> explain(HttpRequest<?> request, String namespace, String pod) {
    Optional<CycleReport> report = latest.get();
    if (report.isEmpty()) {
      return nothing(NONE_YET);
    }
    Optional<HttpResponse<byte[]>> answer =
        wantsJson(request)
            ? ExplainJson.of(report.get(), namespace, pod).map(ReportController::json)
            : ExplainText.of(report.get(), namespace, pod).map(ReportController::text);
    return answer.orElseGet(
        () -> nothing(namespace + "/" + pod + " requests no GPU or is not there.\n"));
  }

  private static String dated(CycleReport report) {
    return "As of " + report.at().truncatedTo(ChronoUnit.SECONDS) + "\n\n" + PlanText.of(report);
  }

  /** Who accepts anything gets the text. */
  private static boolean wantsJson(HttpRequest<?> request) {
    return request.accept().stream()
        .map(MediaType::getName)
        .filter(type -> !type.startsWith("*"))
        .findFirst()
        .filter(MediaType.APPLICATION_JSON::equals)
        .isPresent();
  }

  private static HttpResponse<byte[]> json(String body) {
    return answer(HttpStatus.OK, MediaType.APPLICATION_JSON, body);
  }

  private static HttpResponse<byte[]> text(String body) {
    return answer(HttpStatus.OK, TEXT, body);
  }

  private static HttpResponse<byte[]> nothing(String why) {
    return answer(HttpStatus.NOT_FOUND, TEXT, why);
  }

  private static HttpResponse<byte[]> answer(HttpStatus status, String type, String body) {
    return HttpResponse.<byte[]>status(status)
        .body(body.getBytes(StandardCharsets.UTF_8))
        .header("Content-Type", type);
  }
}
