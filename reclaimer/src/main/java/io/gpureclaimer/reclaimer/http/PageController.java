package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.config.WebConfig;
import io.gpureclaimer.reclaimer.page.ClusterPage;
import io.gpureclaimer.reclaimer.page.PageFrame;
import io.gpureclaimer.reclaimer.page.Pages;
import io.gpureclaimer.reclaimer.page.WorkloadPage;
import io.gpureclaimer.reclaimer.page.WorkloadsPage;
import io.gpureclaimer.reclaimer.page.WorkloadsPage.Filter;
import io.gpureclaimer.reclaimer.show.AnsweringReplica;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The pages for people: read only, of the newest report. */
@Controller
@Produces(PageController.HTML)
final class PageController {
  static final String HTML = "text/html; charset=utf-8";

  /** Scripts and styles of this server alone, and nothing inline. */
  private static final String POLICY =
      "default-src 'self'; img-src data:; base-uri 'none'; form-action 'self';"
          + " frame-ancestors 'none'";

  /** Names under which a browser on the same machine asks; another one may be a rebound name. */
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final String REFUSED =
      """
      This reclaimer serves its pages to clients of its own machine alone.

      From your machine: kubectl --namespace NAMESPACE port-forward service/gpu-reclaimer 8080, then http://localhost:8080/ui.
      For all clients that can reach the port: web.pages: everyone, in the chart reclaimer.config.web.pages. The pages show the workloads of all namespaces.
      """;

  private final Pages pages = new Pages();
  private final LatestReport latest;
  private final Leadership leadership;
  private final WebConfig config;

  PageController(LatestReport latest, Leadership leadership, WebConfig config) {
    this.latest = latest;
    this.leadership = leadership;
    this.config = config;
  }

  @Get("/")
  HttpResponse<?> start() {
    return HttpResponse.temporaryRedirect(URI.create(Pages.CLUSTER));
  }

  @Get(Pages.CLUSTER)
  HttpResponse<byte[]> cluster(HttpRequest<?> request) {
    return page(
        request, (report, frame) -> Optional.of(pages.cluster(ClusterPage.of(report, frame))));
  }

  @Get(Pages.WORKLOADS)
  HttpResponse<byte[]> workloads(
      HttpRequest<?> request,
      @QueryValue @Nullable String namespace,
      @QueryValue @Nullable String verdict) {
    var filter = new Filter(given(namespace), given(verdict));
    return page(
        request,
        (report, frame) -> Optional.of(pages.workloads(WorkloadsPage.of(report, frame, filter))));
  }

  @Get(Pages.WORKLOADS + "/{namespace}/{kind}/{name}")
  HttpResponse<byte[]> workload(
      HttpRequest<?> request, String namespace, String kind, String name) {
    var subject = new ExplainedObject(namespace, kind, name);
    return page(
        request, (report, frame) -> WorkloadPage.of(report, frame, subject).map(pages::workload));
  }

  private HttpResponse<byte[]> page(
      HttpRequest<?> request, BiFunction<CycleReport, PageFrame, Optional<byte[]>> content) {
    AnsweringReplica replica = AnsweringReplica.of(leadership);
    PageFrame without = PageFrame.beforeTheFirstCycle(replica);
    if (!isServed(request)) {
      return html(HttpStatus.FORBIDDEN, pages.message(without, "Not from here", REFUSED));
    }
    Optional<CycleReport> report = latest.get();
    if (report.isEmpty()) {
      return html(
          HttpStatus.SERVICE_UNAVAILABLE,
          pages.message(
              without,
              "No data yet",
              "No cycle has finished since the start of this replica. The first one ends within"
                  + " minutes; this page updates itself."));
    }
    PageFrame frame = PageFrame.of(report.get(), replica);
    return content
        .apply(report.get(), frame)
        .map(body -> html(HttpStatus.OK, body))
        .orElseGet(
            () ->
                html(
                    HttpStatus.NOT_FOUND,
                    pages.message(
                        frame,
                        "No such workload",
                        "It requests no GPU or does not exist, and no action of the last week was"
                            + " on it.")));
  }

  private boolean isServed(HttpRequest<?> request) {
    return switch (config.pages()) {
      case EVERYONE -> true;
      case LOCALHOST -> isLocal(request.getRemoteAddress()) && isLocalName(request);
      case OFF -> false;
    };
  }

  private static boolean isLocal(InetSocketAddress client) {
    return client.getAddress() != null && client.getAddress().isLoopbackAddress();
  }

  private static boolean isLocalName(HttpRequest<?> request) {
    String host = request.getHeaders().get("Host", String.class).orElse("");
    return LOCAL_NAMES.contains(host.replaceFirst(":\\d+$", ""));
  }

  private static Optional<String> given(@Nullable String value) {
    return Optional.ofNullable(value).filter(text -> !text.isEmpty());
  }

  private static HttpResponse<byte[]> html(HttpStatus status, byte[] body) {
    return HttpResponse.<byte[]>status(status)
        .body(body)
        .header("Content-Type", HTML)
        .header("Content-Security-Policy", POLICY);
  }
}
