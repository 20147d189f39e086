package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.show.AnsweringReplica;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
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
import io.micronaut.http.annotation.QueryValue;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private final Leadership leadership;

  ReportController(LatestReport latest, Leadership leadership) {
    this.latest = latest;
    this.leadership = leadership;
  }

  @Get("/plan")
  HttpResponse<byte[]> plan(HttpRequest<?> request, @QueryValue @Nullable String namespace) {
    Optional<CycleReport> latestReport = latest.get();
    if (latestReport.isEmpty()) {
      return nothing(NONE_YET);
    }
    CycleReport whole = latestReport.get();
    CycleReport report = namespace == null ? whole : whole.in(namespace);
    AnsweringReplica replica = AnsweringReplica.of(leadership);
    return wantsJson(request)
        ? json(PlanJson.of(report, Optional.of(replica)))
        : text(dated(report, replica));
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
    return explain(request, ExplainedObject.pod(namespace, pod));
  }

  @Get("/explain/{namespace}/{kind}/{name}")
  HttpResponse<byte[]> explain(HttpRequest<?> request, String namespace, String kind, String name) {
    return explain(request, new ExplainedObject(namespace, kind, name));
  }

  private HttpResponse<byte[]> explain(HttpRequest<?> request, ExplainedObject subject) {
    Optional<CycleReport> report = latest.get();
    if (report.isEmpty()) {
      return nothing(NONE_YET);
    }
    Optional<HttpResponse<byte[]>> answer =
        wantsJson(request)
            ? ExplainJson.of(report.get(), subject).map(ReportController::json)
            : ExplainText.of(report.get(), subject).map(ReportController::text);
    return answer.orElseGet(() -> nothing(subject.absence(report.get())));
  }

  private static String dated(CycleReport report, AnsweringReplica replica) {
    return "As of "
        + report.at().truncatedTo(ChronoUnit.SECONDS)
        + ", by "
        + replica.sentence()
        + "\n\n"
        + PlanText.of(report);
  }

  /**
   * Who accepts anything gets the text. {@code ?format=text} is for clients that cannot choose the
   * header, such as {@code kubectl get --raw}, which accepts JSON first.
   */
  private static boolean wantsJson(HttpRequest<?> request) {
    if (request.getParameters().getFirst("format").filter("text"::equals).isPresent()) {
      return false;
    }
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
