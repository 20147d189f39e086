package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.access.Redaction;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.http.ReportViews.ReportView;
import io.gpureclaimer.reclaimer.http.Viewers.Viewer;
import io.gpureclaimer.reclaimer.show.AnsweringReplica;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.PlanJson;
import io.gpureclaimer.reclaimer.show.PlanText;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The newest report, the same that the commands {@code plan} and {@code explain} print: as text, or
 * as JSON for who asks for it.
 */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Produces({ReportController.TEXT, MediaType.APPLICATION_JSON})
final class ReportController {
  static final String TEXT = "text/plain; charset=utf-8";

  private static final String NONE_YET = "No cycle has finished yet.\n";

  private final ReportViews views;
  private final Leadership leadership;

  ReportController(ReportViews views, Leadership leadership) {
    this.views = views;
    this.leadership = leadership;
  }

  @Get("/plan")
  HttpResponse<byte[]> plan(HttpRequest<?> request, @QueryValue @Nullable String namespace) {
    return answer(
        request,
        whole -> {
          CycleReport report = namespace == null ? whole : whole.in(namespace::equals);
          AnsweringReplica replica = AnsweringReplica.of(leadership);
          return Optional.of(
              wantsJson(request)
                  ? new Body(MediaType.APPLICATION_JSON, PlanJson.of(report, Optional.of(replica)))
                  : new Body(TEXT, dated(report, replica)));
        },
        _ -> NONE_YET);
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
    return answer(
        request,
        report ->
            wantsJson(request)
                ? ExplainJson.of(report, subject)
                    .map(text -> new Body(MediaType.APPLICATION_JSON, text))
                : ExplainText.of(report, subject).map(text -> new Body(TEXT, text)),
        subject::absence);
  }

  private record Body(String type, String text) {}

  /** What the sender may see of the newest report. */
  private HttpResponse<byte[]> answer(
      HttpRequest<?> request,
      Function<CycleReport, Optional<Body>> content,
      Function<CycleReport, String> absence) {
    return switch (views.ofReport(request)) {
      case ReportView.Hidden(Viewer.Refused why) -> refused(why);
      case ReportView.NoneYet() -> answer(HttpStatus.NOT_FOUND, new Body(TEXT, NONE_YET));
      case ReportView.Shown shown ->
          content
              .apply(shown.report())
              .map(body -> answer(HttpStatus.OK, redacted(body, shown.redaction())))
              .orElseGet(
                  () ->
                      answer(HttpStatus.NOT_FOUND, new Body(TEXT, absence.apply(shown.report()))));
    };
  }

  private static Body redacted(Body body, Redaction redaction) {
    return new Body(body.type(), redaction.redacted(body.text()));
  }

  private static HttpResponse<byte[]> refused(Viewer.Refused why) {
    MutableHttpResponse<byte[]> answer = answer(why.status(), new Body(TEXT, why.sentence()));
    return why.status() == HttpStatus.UNAUTHORIZED
        ? answer.header("WWW-Authenticate", "Bearer")
        : answer;
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

  private static MutableHttpResponse<byte[]> answer(HttpStatus status, Body body) {
    return HttpResponse.<byte[]>status(status)
        .body(body.text().getBytes(StandardCharsets.UTF_8))
        .header("Content-Type", body.type());
  }
}
