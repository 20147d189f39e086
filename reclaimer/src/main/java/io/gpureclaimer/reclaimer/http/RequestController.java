package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.api.ProblemDetails;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.http.ReportViews.ReportView;
import io.gpureclaimer.reclaimer.http.Viewers.Viewer;
import io.gpureclaimer.reclaimer.request.KeepRequests;
import io.gpureclaimer.reclaimer.request.RequestCounter;
import io.gpureclaimer.reclaimer.request.RequestReply;
import io.gpureclaimer.reclaimer.request.RequestReply.RequestOutcome;
import io.gpureclaimer.reclaimer.request.RestoreRequests;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.Explanation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Requests of people whom the API server knows: to keep a workload for a while, and to restore one.
 * A page sends a form and gets a page; a program sends JSON and gets JSON.
 */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = {KeepRequests.class, RestoreRequests.class})
final class RequestController {
  private static final String WORKLOAD = "/workloads/{namespace}/{kind}/{name}";

  private static final RequestReply NOT_KNOWN =
      new RequestReply(
          RequestOutcome.FORBIDDEN,
          "No changes are possible here, because users are not identified "
              + "(web.pages is not authorized). Run kubectl gpu keep or kubectl gpu "
              + "restore.");

  private static final RequestReply OTHER_SITE =
      new RequestReply(
          RequestOutcome.FORBIDDEN,
          "This request was not sent by a page of this server. Nothing was changed.");

  private final ReportViews views;
  private final PageController pages;
  private final KeepRequests keeps;
  private final RestoreRequests restores;
  private final RequestCounter requests;

  RequestController(
      ReportViews views,
      PageController pages,
      KeepRequests keeps,
      RestoreRequests restores,
      CollectorRegistry registry) {
    this.views = views;
    this.pages = pages;
    this.keeps = keeps;
    this.restores = restores;
    this.requests = new RequestCounter(registry);
  }

  @Post("/ui" + WORKLOAD + "/keep")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  @Produces(PageController.HTML)
  HttpResponse<byte[]> keepFromPage(
      HttpRequest<?> request,
      String namespace,
      String kind,
      String name,
      @Body Map<String, String> form) {
    var subject = new ExplainedObject(namespace, kind, name);
    return page(request, subject, keep(request, views.ofPage(request), subject, form.get("for")));
  }

  @Post("/ui" + WORKLOAD + "/restore")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  @Produces(PageController.HTML)
  HttpResponse<byte[]> restoreFromPage(
      HttpRequest<?> request,
      String namespace,
      String kind,
      String name,
      @Body Map<String, String> form) {
    var subject = new ExplainedObject(namespace, kind, name);
    return page(request, subject, restore(request, views.ofPage(request), subject));
  }

  @Post("/api/v1" + WORKLOAD + "/keep")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces({MediaType.APPLICATION_JSON, ProblemDetails.TYPE})
  HttpResponse<byte[]> keep(
      HttpRequest<?> request,
      String namespace,
      String kind,
      String name,
      @Body Map<String, String> body) {
    return json(
        keep(
            request,
            views.ofReport(request),
            new ExplainedObject(namespace, kind, name),
            body.get("for")));
  }

  @Post("/api/v1" + WORKLOAD + "/restore")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces({MediaType.APPLICATION_JSON, ProblemDetails.TYPE})
  HttpResponse<byte[]> restore(
      HttpRequest<?> request,
      String namespace,
      String kind,
      String name,
      @Body Map<String, String> body) {
    return json(
        restore(request, views.ofReport(request), new ExplainedObject(namespace, kind, name)));
  }

  private ReplyVisibility keep(
      HttpRequest<?> request, ReportView view, ExplainedObject subject, @Nullable String duration) {
    Optional<Duration> asked =
        Optional.ofNullable(duration)
            .flatMap(Durations::parse)
            .filter(Duration::isPositive)
            .filter(time -> time.compareTo(KeepRequests.LONGEST) <= 0);
    return counted(
        "keep",
        reply(
            request,
            view,
            (report, person) ->
                asked.isEmpty()
                    ? new RequestReply(
                        RequestOutcome.REFUSED,
                        "Expected \"for\" with a duration of at most 7d, like 4h.")
                    : Explanation.of(report, subject)
                        .map(
                            about -> keeps.keep(about.judgment(), report.at(), asked.get(), person))
                        .orElseGet(() -> gone(subject))));
  }

  private ReplyVisibility restore(
      HttpRequest<?> request, ReportView view, ExplainedObject subject) {
    return counted(
        "restore",
        reply(
            request,
            view,
            (report, person) ->
                subject.records(report).stream()
                    .filter(RestoreRequests::isOpen)
                    .findFirst()
                    .map((Reclamation record) -> restores.restore(record, person))
                    .orElseGet(
                        () ->
                            new RequestReply(
                                RequestOutcome.REFUSED, subject + " is not reclaimed."))));
  }

  private static RequestReply gone(ExplainedObject subject) {
    return new RequestReply(
        RequestOutcome.GONE,
        subject
            + " has no pod with GPUs any longer. If it was reclaimed, it can be restored; otherwise"
            + " start it as usual.");
  }

  /** Either why nothing is shown, or the reply. */
  private sealed interface ReplyVisibility {
    record NotShown(HttpStatus status, String sentence) implements ReplyVisibility {}

    record Given(RequestReply reply) implements ReplyVisibility {}
  }

  private static ReplyVisibility reply(
      HttpRequest<?> request,
      ReportView view,
      BiFunction<CycleReport, ApiUser, RequestReply> handler) {
    return switch (view) {
      case ReportView.Hidden(Viewer.Refused(HttpStatus status, String sentence)) ->
          new ReplyVisibility.NotShown(status, sentence);
      case ReportView.NoneYet() ->
          new ReplyVisibility.NotShown(
              HttpStatus.SERVICE_UNAVAILABLE, "No cycle has finished yet. Try again later.\n");
      case ReportView.Shown shown ->
          new ReplyVisibility.Given(
              !SameOrigin.isKept(request)
                  ? OTHER_SITE
                  : shown
                      .person()
                      .map(person -> handler.apply(shown.report(), person))
                      .orElse(NOT_KNOWN));
    };
  }

  private ReplyVisibility counted(String kind, ReplyVisibility reply) {
    requests.add(
        kind,
        switch (reply) {
          case ReplyVisibility.Given(RequestReply given) -> given.outcome();
          case ReplyVisibility.NotShown _ -> RequestOutcome.FORBIDDEN;
        });
    return reply;
  }

  private HttpResponse<byte[]> page(
      HttpRequest<?> request, ExplainedObject subject, ReplyVisibility reply) {
    return switch (reply) {
      case ReplyVisibility.Given(RequestReply given) ->
          pages.workload(request, subject, status(given), Optional.of(given));
      case ReplyVisibility.NotShown _ ->
          pages.workload(request, subject, HttpStatus.FORBIDDEN, Optional.empty());
    };
  }

  private static HttpResponse<byte[]> json(ReplyVisibility reply) {
    return switch (reply) {
      case ReplyVisibility.Given(RequestReply given)
          when given.outcome() == RequestOutcome.ACCEPTED ->
          ApiController.accepted(HttpStatus.OK, given.sentence());
      case ReplyVisibility.Given(RequestReply given) ->
          ApiController.problem(status(given), given.sentence());
      case ReplyVisibility.NotShown(HttpStatus status, String sentence) ->
          ApiController.problem(status, sentence);
    };
  }

  private static HttpStatus status(RequestReply reply) {
    return switch (reply.outcome()) {
      case ACCEPTED -> HttpStatus.OK;
      case FORBIDDEN -> HttpStatus.FORBIDDEN;
      case REFUSED -> HttpStatus.UNPROCESSABLE_ENTITY;
      case GONE -> HttpStatus.CONFLICT;
      case FAILED -> HttpStatus.BAD_GATEWAY;
    };
  }
}
