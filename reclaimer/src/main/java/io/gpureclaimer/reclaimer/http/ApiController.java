package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.access.Redaction;
import io.gpureclaimer.reclaimer.api.DataTable;
import io.gpureclaimer.reclaimer.api.DataTables;
import io.gpureclaimer.reclaimer.api.OpenApi;
import io.gpureclaimer.reclaimer.api.ProblemDetails;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.http.ReportViews.ReportView;
import io.gpureclaimer.reclaimer.http.Viewers.Viewer;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.ReclamationJson;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The newest report for programs, as JSON or CSV. */
@Controller("/api/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Produces({MediaType.APPLICATION_JSON, ApiController.CSV, ProblemDetails.TYPE})
final class ApiController {
  static final String CSV = "text/csv";

  private static final String FORMAT = "format";
  private static final String NONE_YET = "No cycle has finished yet.";

  private final ReportViews views;

  ApiController(ReportViews views) {
    this.views = views;
  }

  @Get("/openapi.json")
  HttpResponse<byte[]> description() {
    return answer(HttpStatus.OK, MediaType.APPLICATION_JSON, OpenApi.document());
  }

  @Get("/{table}")
  HttpResponse<byte[]> table(HttpRequest<?> request, String table) {
    return DataTables.named(table)
        .map(found -> rows(request, found))
        .orElseGet(
            () ->
                problem(
                    HttpStatus.NOT_FOUND,
                    "Expected one of "
                        + String.join(", ", DataTables.ALL.stream().map(DataTable::name).toList())
                        + ", found "
                        + table
                        + "."));
  }

  /** The records of actions, from the watch. */
  @Get("/reclamations")
  HttpResponse<byte[]> reclamations(HttpRequest<?> request) {
    return shown(
        request,
        false,
        MediaType.APPLICATION_JSON,
        ReclamationJson::list,
        "The records of actions cannot be read.");
  }

  @Get("/workloads/{namespace}/{kind}/{name}")
  HttpResponse<byte[]> workload(
      HttpRequest<?> request, String namespace, String kind, String name) {
    var subject = new ExplainedObject(namespace, kind, name);
    return shown(
        request,
        false,
        MediaType.APPLICATION_JSON,
        report -> ExplainJson.of(report, subject),
        subject + " requests no GPU or does not exist.");
  }

  private <T> HttpResponse<byte[]> rows(HttpRequest<?> request, DataTable<T> table) {
    Map<String, String> filter = new TreeMap<>();
    for (String name : request.getParameters().names()) {
      if (!name.equals(FORMAT) && !table.filters().contains(name)) {
        return problem(
            HttpStatus.BAD_REQUEST,
            "Expected as parameters format, "
                + String.join(", ", table.filters())
                + ", found "
                + name
                + ".");
      }
      filter.put(name, request.getParameters().getFirst(name).orElse(""));
    }
    filter.values().removeIf(String::isEmpty);
    String format = Optional.ofNullable(filter.remove(FORMAT)).orElseGet(() -> accepted(request));
    return switch (format) {
      case "json" ->
          shown(
              request,
              table.isWholeOnly(),
              MediaType.APPLICATION_JSON,
              report -> table.json(report, filter),
              unreadable(table));
      case "csv" ->
          shown(
              request,
              table.isWholeOnly(),
              CSV,
              report -> table.csv(report, filter),
              unreadable(table));
      default ->
          problem(HttpStatus.BAD_REQUEST, "Expected json or csv as format, found " + format + ".");
    };
  }

  private static String accepted(HttpRequest<?> request) {
    return request.accept().stream().map(MediaType::getName).anyMatch(CSV::equals) ? "csv" : "json";
  }

  private static String unreadable(DataTable<?> table) {
    return table.summary() + " cannot be read at present.";
  }

  private HttpResponse<byte[]> shown(
      HttpRequest<?> request,
      boolean isWholeOnly,
      String type,
      Function<CycleReport, Optional<String>> content,
      String absence) {
    return switch (views.ofReport(request)) {
      case ReportView.Hidden(Viewer.Refused(HttpStatus status, String sentence)) ->
          problem(status, sentence).header("WWW-Authenticate", "Bearer");
      case ReportView.NoneYet() -> problem(HttpStatus.NOT_FOUND, NONE_YET);
      case ReportView.Shown(_, _, boolean isWhole, _) when isWholeOnly && !isWhole ->
          problem(HttpStatus.FORBIDDEN, "It needs the right to get pods in all namespaces.");
      case ReportView.Shown(CycleReport report, _, _, Redaction redaction) ->
          content
              .apply(report)
              .map(text -> answer(HttpStatus.OK, type, redaction.redacted(text)))
              .orElseGet(() -> problem(HttpStatus.NOT_FOUND, absence));
    };
  }

  /** An accepted request. */
  static MutableHttpResponse<byte[]> accepted(HttpStatus status, String sentence) {
    return answer(status, MediaType.APPLICATION_JSON, Json.indented(Map.of("message", sentence)));
  }

  /** A refusal. */
  static MutableHttpResponse<byte[]> problem(HttpStatus status, String detail) {
    return answer(
        status,
        ProblemDetails.TYPE,
        ProblemDetails.of(status.getCode(), status.getReason(), detail).json());
  }

  private static MutableHttpResponse<byte[]> answer(HttpStatus status, String type, String text) {
    return HttpResponse.<byte[]>status(status)
        .body(text.getBytes(StandardCharsets.UTF_8))
        .header("Content-Type", type.equals(CSV) ? CSV + "; charset=utf-8" : type);
  }
}
