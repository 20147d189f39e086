package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.config.ReclaimerWebConfig;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory;
import io.gpureclaimer.reclaimer.http.ReportViews.ReportView;
import io.gpureclaimer.reclaimer.http.Viewers.Viewer;
import io.gpureclaimer.reclaimer.page.ClusterPage;
import io.gpureclaimer.reclaimer.page.GpuPrices;
import io.gpureclaimer.reclaimer.page.PageFrame;
import io.gpureclaimer.reclaimer.page.Pages;
import io.gpureclaimer.reclaimer.page.WorkloadCharts;
import io.gpureclaimer.reclaimer.page.WorkloadPage;
import io.gpureclaimer.reclaimer.page.WorkloadsPage;
import io.gpureclaimer.reclaimer.page.WorkloadsPage.Filter;
import io.gpureclaimer.reclaimer.request.RequestReply;
import io.gpureclaimer.reclaimer.show.AnsweringReplica;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.uri.UriBuilder;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The pages for people, of the newest report. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Produces(PageController.HTML)
final class PageController {
  static final String HTML = "text/html; charset=utf-8";

  /** Scripts and styles of this server alone, and nothing inline. */
  private static final String POLICY =
      "default-src 'self'; img-src data:; base-uri 'none'; form-action 'self';"
          + " frame-ancestors 'none'";

  /** Header of an update with the version of what the reader has. */
  private static final String SHOWN = "X-Shown";

  private final Pages pages = new Pages();
  private final ReportViews views;
  private final Leadership leadership;
  private final ReclaimerWebConfig web;
  private final Optional<UtilizationHistory> utilization;

  PageController(
      ReportViews views,
      Leadership leadership,
      ReclaimerWebConfig web,
      Optional<UtilizationHistory> utilization) {
    this.views = views;
    this.leadership = leadership;
    this.web = web;
    this.utilization = utilization;
  }

  @Get("/")
  HttpResponse<?> start() {
    return HttpResponse.temporaryRedirect(URI.create(Pages.CLUSTER));
  }

  @Get(Pages.CLUSTER)
  HttpResponse<byte[]> cluster(HttpRequest<?> request) {
    return page(
        request,
        (report, frame) ->
            Optional.of(
                pages.cluster(ClusterPage.of(report, frame, new GpuPrices(web.pricesByModel())))));
  }

  @Get(Pages.WORKLOADS)
  HttpResponse<byte[]> workloads(
      HttpRequest<?> request,
      @QueryValue @Nullable String namespace,
      @QueryValue @Nullable String verdict,
      @QueryValue @Nullable String activity,
      @QueryValue @Nullable String model,
      @QueryValue(defaultValue = "false") boolean all) {
    var filter = new Filter(given(namespace), given(verdict), given(activity), given(model), all);
    return page(
        request,
        (report, frame) ->
            Optional.of(
                pages.workloads(
                    WorkloadsPage.of(report, frame, filter, charts(report, filter.namespace())))));
  }

  @Get(Pages.WORKLOADS + "/{namespace}/{kind}/{name}")
  HttpResponse<byte[]> workload(
      HttpRequest<?> request, String namespace, String kind, String name) {
    return workload(
        request, new ExplainedObject(namespace, kind, name), HttpStatus.OK, Optional.empty());
  }

  /** A reload after a request, where no script runs. */
  @Get(Pages.WORKLOADS + "/{namespace}/{kind}/{name}/{request:keep|restore}")
  HttpResponse<?> afterRequest(String namespace, String kind, String name, String request) {
    return HttpResponse.temporaryRedirect(
        UriBuilder.of(Pages.WORKLOADS).path(namespace).path(kind).path(name).build());
  }

  /**
   * The page of a workload, after a request of its reader.
   *
   * @param status if there is such a workload
   */
  HttpResponse<byte[]> workload(
      HttpRequest<?> request,
      ExplainedObject subject,
      HttpStatus status,
      Optional<RequestReply> reply) {
    return page(
        request,
        status,
        (report, frame) ->
            WorkloadPage.of(
                    report, frame, subject, charts(report, Optional.of(subject.namespace())), reply)
                .map(pages::workload));
  }

  private HttpResponse<byte[]> page(
      HttpRequest<?> request, BiFunction<CycleReport, PageFrame, Optional<byte[]>> content) {
    return page(request, HttpStatus.OK, content);
  }

  private HttpResponse<byte[]> page(
      HttpRequest<?> request,
      HttpStatus status,
      BiFunction<CycleReport, PageFrame, Optional<byte[]>> content) {
    AnsweringReplica replica = AnsweringReplica.of(leadership);
    PageFrame without = PageFrame.beforeTheFirstCycle(replica);
    return switch (views.ofPage(request)) {
      case ReportView.Hidden(Viewer.Refused why) -> refused(without, why);
      case ReportView.NoneYet() ->
          html(
              HttpStatus.SERVICE_UNAVAILABLE,
              pages.message(
                  without,
                  "No data yet",
                  "No cycle has finished since the start of this replica. The first one ends within"
                      + " minutes; this page updates itself."));
      case ReportView.Shown shown -> {
        PageFrame frame = PageFrame.of(shown.report(), replica, shown.person(), shown.isWhole());
        if (request.getMethod() == HttpMethod.GET
            && frame.version().equals(request.getHeaders().get(SHOWN))) {
          yield HttpResponse.noContent();
        }
        yield content
            .apply(shown.report(), frame)
            .<HttpResponse<byte[]>>map(body -> html(status, redacted(body, shown)))
            .orElseGet(() -> noSuchWorkload(frame));
      }
    };
  }

  /** Of a namespace that the reader may see: others are not in the report. */
  private WorkloadCharts charts(CycleReport report, Optional<String> namespace) {
    return namespace
        .filter(name -> report.namespaces().contains(name))
        .flatMap(name -> utilization.map(history -> history.of(name)))
        .map(found -> new WorkloadCharts(Optional.of(found)))
        .orElse(WorkloadCharts.NONE);
  }

  private HttpResponse<byte[]> refused(PageFrame frame, Viewer.Refused why) {
    String heading = why.status() == HttpStatus.UNAUTHORIZED ? "Not signed in" : "Not from here";
    MutableHttpResponse<byte[]> page =
        html(why.status(), pages.message(frame, heading, why.sentence()));
    return why.status() == HttpStatus.UNAUTHORIZED
        ? page.header("WWW-Authenticate", "Bearer")
        : page;
  }

  private HttpResponse<byte[]> noSuchWorkload(PageFrame frame) {
    return html(
        HttpStatus.NOT_FOUND,
        pages.message(
            frame,
            "No such workload",
            "It requests no GPU or does not exist, and no action of the last week was on it."
                + (frame.isWhole() ? "" : " Or you may not see its namespace.")));
  }

  private static byte[] redacted(byte[] body, ReportView.Shown shown) {
    return shown.isWhole()
        ? body
        : shown
            .redaction()
            .redacted(new String(body, StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<String> given(@Nullable String value) {
    return Optional.ofNullable(value).filter(text -> !text.isEmpty());
  }

  private static MutableHttpResponse<byte[]> html(HttpStatus status, byte[] body) {
    return HttpResponse.<byte[]>status(status)
        .body(body)
        .header("Content-Type", HTML)
        .header("Content-Security-Policy", POLICY);
  }
}
