package io.gpureclaimer.reclaimer.show;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory.PodUtilization;
import io.gpureclaimer.reclaimer.evidence.utilization.UtilizationHistory.UtilizationPoint;
import io.gpureclaimer.reclaimer.page.ClusterPage;
import io.gpureclaimer.reclaimer.page.GpuPrices;
import io.gpureclaimer.reclaimer.page.PageFrame;
import io.gpureclaimer.reclaimer.page.Pages;
import io.gpureclaimer.reclaimer.page.WorkloadCharts;
import io.gpureclaimer.reclaimer.page.WorkloadPage;
import io.gpureclaimer.reclaimer.page.WorkloadsPage;
import io.gpureclaimer.reclaimer.page.WorkloadsPage.Filter;
import io.gpureclaimer.reclaimer.request.RequestReply;
import io.gpureclaimer.reclaimer.request.RequestReply.RequestOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whole pages, in each state. */
class PagesGoldenTest {
  private static final AnsweringReplica REPLICA =
      new AnsweringReplica("gpu-reclaimer-a", true, "gpu-reclaimer-a");
  private static final ApiUser ALICE = new ApiUser("alice", "", List.of(), Map.of());
  private static final Filter ALL = Filter.NONE;

  private static final Instant ACTED = Reports.empty().at().minusSeconds(7200);
  private static final Timeline TIMES = Timeline.recorded(ACTED, ACTED, ACTED);
  private static final Optional<String> NONE = Optional.empty();

  private final Pages pages = new Pages();

  @Test
  void clusterInWhichEverythingHappens() {
    isPage(
        "cluster",
        pages.cluster(ClusterPage.of(Reports.acted(), frame(Reports.acted()), GpuPrices.NONE)));
  }

  @Test
  void clusterWithoutWorkloads() {
    isPage(
        "cluster-empty",
        pages.cluster(ClusterPage.of(Reports.empty(), frame(Reports.empty()), GpuPrices.NONE)));
  }

  @Test
  void clusterWithoutEvidence() {
    isPage(
        "cluster-blind",
        pages.cluster(ClusterPage.of(Reports.blind(), frame(Reports.blind()), GpuPrices.NONE)));
  }

  @Test
  void allWorkloads() {
    isPage("workloads", workloads(ALL));
  }

  @Test
  void workloadsOfAVerdict() {
    String page =
        text(workloads(new Filter(Optional.of("ml"), Optional.of("warned"), NONE, NONE, false)));

    assertThat(page)
        .contains("1 workload, those", "/ui/workloads/ml/pod/warned")
        .contains("<option value=\"warned\" selected>")
        .doesNotContain("/ui/workloads/ml/pod/active");
  }

  @Test
  void noWorkloadMatches() {
    assertThat(text(workloads(new Filter(Optional.of("nowhere"), NONE, NONE, NONE, false))))
        .contains("No workload with GPUs matches.");
  }

  @Test
  void oneWorkload() {
    CycleReport report = Reports.acted();

    isPage(
        "workload",
        pages.workload(
            WorkloadPage.of(
                    report,
                    frame(report),
                    ExplainedObject.pod("ml", "warned"),
                    WorkloadCharts.NONE,
                    Optional.empty())
                .orElseThrow()));
  }

  @Test
  void oneWorkload_forAPersonWhoKeepsIt() {
    CycleReport report = Reports.acted();

    isPage(
        "workload-kept",
        pages.workload(
            WorkloadPage.of(
                    report,
                    PageFrame.of(report, REPLICA, Optional.of(ALICE), false),
                    ExplainedObject.pod("ml", "warned"),
                    WorkloadCharts.NONE,
                    Optional.of(
                        new RequestReply(
                            RequestOutcome.ACCEPTED,
                            "Pod ml/warned is kept until 2026-03-02T16:00:00Z.")))
                .orElseThrow()));
  }

  @Test
  void workloadsOfANamespace_withChartsAndButtons() {
    CycleReport report = Reports.acted();
    Instant now = report.at();
    var charts =
        new WorkloadCharts(
            Optional.of(
                new PodUtilization.Known(
                    now.minusSeconds(21_600),
                    now,
                    Map.of(
                        new PodName("ml", "due"),
                        List.of(
                            new UtilizationPoint(now.minusSeconds(7200), 100),
                            new UtilizationPoint(now.minusSeconds(6600), 50),
                            new UtilizationPoint(now, 0))))));

    isPage(
        "workloads-charts",
        pages.workloads(
            WorkloadsPage.of(
                report,
                PageFrame.of(report, REPLICA, Optional.of(ALICE), false),
                new Filter(Optional.of("ml"), Optional.of("due"), NONE, NONE, false),
                charts)));
  }

  @Test
  void showsTheFirstOfManyWorkloads_andAllOnRequest() {
    CycleReport report = Reports.of(501);

    assertThat(
            text(
                pages.workloads(WorkloadsPage.of(report, frame(report), ALL, WorkloadCharts.NONE))))
        .contains("500 of 501 workloads, those", "/ui/workloads?all=true");
    assertThat(
            text(
                pages.workloads(
                    WorkloadsPage.of(
                        report,
                        frame(report),
                        new Filter(NONE, NONE, NONE, NONE, true),
                        WorkloadCharts.NONE))))
        .contains("501 workloads, those")
        .doesNotContain("Show all");
  }

  @Test
  void saysWhyThereAreNoCharts() {
    CycleReport report = Reports.acted();

    assertThat(
            text(
                pages.workloads(
                    WorkloadsPage.of(
                        report,
                        frame(report),
                        ALL,
                        new WorkloadCharts(
                            Optional.of(new PodUtilization.Unknown("expected x, found y")))))))
        .contains("No charts of utilization: expected x, found y.");
  }

  @Test
  void reclaimedOwner_forAPersonWhoMayNotRestoreIt() {
    CycleReport report = reclaimed();

    assertThat(
            text(
                pages.workload(
                    WorkloadPage.of(
                            report,
                            PageFrame.of(report, REPLICA, Optional.of(ALICE), true),
                            new ExplainedObject("ml", "deployment", "web"),
                            WorkloadCharts.NONE,
                            Optional.of(
                                new RequestReply(
                                    RequestOutcome.FORBIDDEN,
                                    "alice may not change Deployment ml/web.")))
                        .orElseThrow())))
        .contains(
            "<p class=\"reply forbidden\">",
            "alice may not change Deployment ml/web.</p>",
            "action=\"/ui/workloads/ml/deployment/web/restore\" method=\"post\"")
        .doesNotContain("Keep 4 h", "kubectl gpu");
  }

  @Test
  void ownerWithoutPods_hasItsActions() {
    CycleReport report = reclaimed();
    var owner = new ExplainedObject("ml", "deployment", "web");

    isPage(
        "reclaimed",
        pages.workload(
            WorkloadPage.of(report, frame(report), owner, WorkloadCharts.NONE, Optional.empty())
                .orElseThrow()));
    assertThat(
            WorkloadPage.of(
                report,
                frame(report),
                new ExplainedObject("ml", "job", "web"),
                WorkloadCharts.NONE,
                Optional.empty()))
        .isEmpty();
  }

  @Test
  void clusterWithAReclaimedOwner() {
    CycleReport report = reclaimed();

    assertThat(text(pages.cluster(ClusterPage.of(report, frame(report), GpuPrices.NONE))))
        .contains(
            "<a href=\"#actions\"><span class=\"number\">2</span> reclaimed in 7 days"
                + "<span class=\"detail\">2 not restored</span></a>",
            "<a href=\"/ui/workloads/ml/deployment/web\">Deployment/web</a>",
            "<td data-label=\"Back after\">–</td>");
  }

  @Test
  void anOwnerThatAPersonRequestsWithinTheHour_isRegretted() {
    Timeline times = TIMES.acted(ACTED).reclaimed(ACTED.plusSeconds(60));
    var requested = new RestoreRequest(true, Optional.empty());

    assertThat(history(ReclamationState.RESTORED, requested, times.ended(ACTED.plusSeconds(3600))))
        .contains(
            "2</span> reclaimed in 7 days<span class=\"detail\">2 regretted</span>",
            "<td data-label=\"Back after\">1h, regretted</td>");
    assertThat(history(ReclamationState.RESTORED, requested, times.ended(ACTED.plusSeconds(3601))))
        .contains("<td data-label=\"Back after\">1h</td>")
        .doesNotContain("regretted");
    assertThat(
            history(
                ReclamationState.RESTORED,
                RestoreRequest.NONE,
                times.ended(ACTED.plusSeconds(600))))
        .contains("<td data-label=\"Back after\">10m</td>")
        .doesNotContain("regretted");
    assertThat(
            history(
                ReclamationState.CONTESTED,
                RestoreRequest.NONE,
                times.ended(ACTED.plusSeconds(600))))
        .contains("10m, regretted");
    assertThat(
            history(
                ReclamationState.FAILED, RestoreRequest.NONE, times.ended(ACTED.plusSeconds(600))))
        .contains("<td data-label=\"Back after\">–</td>")
        .doesNotContain("regretted");
  }

  @Test
  void anActionOfEarlierWeeks_isNotCounted() {
    Instant now = Reports.empty().at();
    Timeline times = TIMES.acted(now.minusSeconds(700_000)).reclaimed(now.minusSeconds(699_000));

    assertThat(history(ReclamationState.RECLAIMED, RestoreRequest.NONE, times))
        .contains("0</span> reclaimed in 7 days<span class=\"detail\">2 not restored</span>");
  }

  @Test
  void evictedPod_hasWhyAndTheWayBack() {
    CycleReport report = evicted();

    isPage(
        "evicted",
        pages.workload(
            WorkloadPage.of(
                    report,
                    frame(report),
                    ExplainedObject.pod("ml", "due-longest"),
                    WorkloadCharts.NONE,
                    Optional.empty())
                .orElseThrow()));
    assertThat(text(pages.cluster(ClusterPage.of(report, frame(report), GpuPrices.NONE))))
        .contains(
            "1</span> reclaimed in 7 days</a>",
            "<td data-label=\"State\">Evicted</td>",
            "<a href=\"/ui/workloads/ml/pod/due-longest\">Pod/due-longest</a>");
    assertThat(
            text(
                pages.workloads(WorkloadsPage.of(report, frame(report), ALL, WorkloadCharts.NONE))))
        .contains(
            "<option value=\"ml\"",
            "<td data-label=\"To get it back\">The pod was evicted. To get it back, create it again"
                + " from its manifest.</td>");
    assertThat(ExplainedObject.pod("ml", "due-longest").absence(report))
        .startsWith("pod ml/due-longest requests no GPU or does not exist.\n")
        .contains("evicted", "To get it back, create it again from its manifest.");
  }

  private static CycleReport evicted() {
    CycleReport empty = Reports.empty();
    Instant now = empty.at();
    var pod = new PodRef("ml", "due-longest", "uid-of-due-longest");
    var status =
        new ReclamationProgress(
            ReclamationState.EVICTED,
            "evict",
            "63abaa1e",
            "The pod was evicted. To get it back, create it again from its manifest.",
            ObjectRef.of(pod),
            "1",
            List.of(pod),
            1,
            Optional.of("batch/embed"),
            "idle for 2h 3m, warned at 2026-03-02T11:40:00Z",
            List.of(),
            Timeline.recorded(now.minusSeconds(7980), now.minusSeconds(1200), now.minusSeconds(601))
                .acted(now.minusSeconds(600))
                .ended(now.minusSeconds(600)));
    return withRecord(
        new Reclamation(
            "ml", "pod-due-longest-63abaa1e", "", "", RestoreRequest.NONE, Optional.of(status)));
  }

  private String history(ReclamationState state, RestoreRequest request, Timeline times) {
    CycleReport report = reclaimed(state, request, times);
    return text(pages.cluster(ClusterPage.of(report, frame(report), GpuPrices.NONE)));
  }

  private static CycleReport reclaimed() {
    Instant now = Reports.empty().at();
    return reclaimed(
        ReclamationState.RECLAIMED,
        RestoreRequest.NONE,
        Timeline.recorded(now.minusSeconds(7200), now.minusSeconds(1200), now.minusSeconds(300))
            .acted(now.minusSeconds(290)));
  }

  private static CycleReport reclaimed(
      ReclamationState state, RestoreRequest request, Timeline times) {
    ObjectRef web = new ObjectRef("apps/v1", "Deployment", "ml", "web", "uid-of-web");
    ReclamationProgress progress =
        new ReclamationProgress(
            state,
            "scale",
            "63abaa1e",
            "its pods are gone and 2 GPUs are free",
            web,
            "1",
            List.of(),
            2,
            Optional.of("batch/embed"),
            "idle for 2h",
            List.of(
                new FieldChange(
                    web, FieldChange.SCALE, "/spec/replicas", Optional.of("2"), Optional.of("0"))),
            times);
    var record =
        new Reclamation("ml", "deployment-web-63abaa1e", "", "", request, Optional.of(progress));
    return withRecord(record);
  }

  private static CycleReport withRecord(Reclamation record) {
    CycleReport empty = Reports.empty();
    return new CycleReport(
        empty.at(),
        new ClusterView(
            List.of(),
            Map.of(),
            List.of(),
            Map.of(),
            Optional.of(new Reclamations(List.of(record)))),
        empty.observation(),
        List.of(),
        List.of(),
        empty.plan(),
        List.of());
  }

  @Test
  void messageBeforeTheFirstCycle() {
    isPage(
        "message",
        pages.message(PageFrame.beforeTheFirstCycle(REPLICA), "No data <yet>", "a & b\nc"));
  }

  private byte[] workloads(Filter filter) {
    CycleReport report = Reports.acted();
    return pages.workloads(WorkloadsPage.of(report, frame(report), filter, WorkloadCharts.NONE));
  }

  private static PageFrame frame(CycleReport report) {
    return PageFrame.of(report, REPLICA, Optional.empty(), true);
  }

  private static void isPage(String name, byte[] page) {
    Golden.assertThatTextIs("page-" + name + ".html", text(page));
  }

  private static String text(byte[] page) {
    return new String(page, UTF_8);
  }
}
