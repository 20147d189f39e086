package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.access.AccessControl;
import io.gpureclaimer.reclaimer.access.Redaction;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.http.Viewers.Viewer;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The newest report, as the sender of a request may see it. */
@Singleton
final class ReportViews {
  private final LatestReport latest;
  private final Viewers viewers;
  private final Optional<AccessControl> access;

  /** What a sender may see. */
  sealed interface ReportView {

    /**
     * A report, without the namespaces that he may not see.
     *
     * @param person empty where no identity is asked for
     * @param isWhole whether he may see all namespaces
     */
    record Shown(CycleReport report, Optional<ApiUser> person, boolean isWhole, Redaction redaction)
        implements ReportView {}

    /** No cycle has finished yet. */
    record NoneYet() implements ReportView {}

    /** Nothing. */
    record Hidden(Viewer.Refused why) implements ReportView {}
  }

  ReportViews(LatestReport latest, Viewers viewers, Optional<AccessControl> access) {
    this.latest = latest;
    this.viewers = viewers;
    this.access = access;
  }

  /** What the reader of a page may see. */
  ReportView ofPage(HttpRequest<?> request) {
    return seenBy(viewers.ofPage(request));
  }

  /** What the reader of a report may see. */
  ReportView ofReport(HttpRequest<?> request) {
    return seenBy(viewers.ofReport(request));
  }

  private ReportView seenBy(Viewer viewer) {
    if (viewer instanceof Viewer.Refused refused) {
      return new ReportView.Hidden(refused);
    }
    Optional<CycleReport> report = latest.get();
    if (report.isEmpty()) {
      return new ReportView.NoneYet();
    }
    return switch (viewer) {
      case Viewer.Anonymous _ ->
          new ReportView.Shown(report.get(), Optional.empty(), true, Redaction.NONE);
      case Viewer.Identified(ApiUser person) -> seenBy(person, report.get());
      case Viewer.Refused refused -> new ReportView.Hidden(refused);
    };
  }

  private ReportView seenBy(ApiUser person, CycleReport report) {
    AccessControl control = access.orElseThrow();
    if (control.maySeeAll(person)) {
      return new ReportView.Shown(report, Optional.of(person), true, Redaction.NONE);
    }
    Set<String> namespaces = report.namespaces();
    Predicate<String> visible = control.visible(person, namespaces);
    return new ReportView.Shown(
        report.in(visible),
        Optional.of(person),
        false,
        new Redaction(
            Stream.concat(namespaces.stream(), report.cluster().namespaces().keySet().stream())
                .filter(visible.negate())
                .collect(Collectors.toUnmodifiableSet())));
  }
}
