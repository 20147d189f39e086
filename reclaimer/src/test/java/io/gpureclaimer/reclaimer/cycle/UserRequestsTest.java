package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.access.AccessControl;
import io.gpureclaimer.reclaimer.access.FakeReviews;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.request.KeepRequests;
import io.gpureclaimer.reclaimer.request.RequestReply;
import io.gpureclaimer.reclaimer.request.RequestReply.RequestOutcome;
import io.gpureclaimer.reclaimer.request.RestoreRequests;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people request on the pages, and what the next cycles make of it. */
class UserRequestsTest {
  private static final ApiUser ALICE = new ApiUser("alice", "", List.of(), Map.of());
  private static final OwnerSpec WEB = OwnerSpec.ofDeployment("web", "5d4f");

  private final SmallCluster world = SmallCluster.in("always");
  private final FakeReviews reviews =
      new FakeReviews()
          .allow("alice", "patch", "Pod", SmallCluster.NAMESPACE)
          .allow("alice", "patch", "Deployment", SmallCluster.NAMESPACE);
  private final AccessControl access = new AccessControl(reviews, List.of(), () -> 0);
  private final KeepRequests keeps = new KeepRequests(world.cluster, access, world.clock, false);
  private final RestoreRequests restores =
      new RestoreRequests(world.cluster, world.cluster, access, world.clock, false);

  @Test
  void keepsAPodThatIsDue() {
    PodRef pod = world.duePod("a");
    CycleReport before = reportBeforeTheAction();
    Instant until = world.clock.instant().plus(Duration.ofHours(4));

    assertThat(keep(before, "pod", "a", "PT4H"))
        .isEqualTo(
            new RequestReply(
                RequestOutcome.ACCEPTED, "Pod research/a is kept until " + until + "."));

    assertThat(world.notes(pod)).containsEntry("keep-until", until.toString());
    assertThat(world.reported(pod)).contains("GPUKeepRequested");
    world.cycle();
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void keepsADeployment_alsoForPodsThatReplaceThisOne() {
    PodRef pod = world.pod("web-a", 2, spec -> spec.ownedBy(WEB));
    CycleReport report = world.cycle();

    assertThat(keep(report, "deployment", "web", "PT24H").outcome())
        .isEqualTo(RequestOutcome.ACCEPTED);

    assertThat(web().annotations())
        .containsEntry(
            Annotations.KEEP_UNTIL, world.clock.instant().plus(Duration.ofHours(24)).toString());
    assertThat(world.notes(pod)).doesNotContainKey("keep-until");
    world.pass(Duration.ofHours(3));
    world.cycle();
    world.pass(Duration.ofMinutes(20));
    assertThat(world.cycle().plan().entries()).isEmpty();
  }

  @Test
  void doesNotShortenALongerRequest() {
    PodRef pod = world.pod("a");
    String later = world.clock.instant().plus(Duration.ofDays(2)).toString();
    world.annotate(pod, Annotations.KEEP_UNTIL, later);

    assertThat(keep(world.cycle(), "pod", "a", "PT4H"))
        .isEqualTo(
            new RequestReply(
                RequestOutcome.ACCEPTED, "Pod research/a is kept until " + later + " already."));
    assertThat(world.notes(pod)).containsEntry("keep-until", later);
  }

  @Test
  void keepsAtMostAsLongAsTheNamespaceHonors() {
    PodRef pod = world.pod("a");
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE, Map.of(Annotations.MAX_KEEP, Optional.of("2h")));
    world.pass(Duration.ofHours(1));
    CycleReport report = world.cycle();
    Duration idle = about(report, "pod", "a").judgment().verdict().idleTime().orElseThrow();

    RequestReply reply = keep(report, "pod", "a", "PT4H");

    assertThat(reply.outcome()).isEqualTo(RequestOutcome.ACCEPTED);
    assertThat(reply.sentence()).endsWith("max-keep is 2h of idleness.");
    assertThat(world.notes(pod))
        .containsEntry(
            "keep-until", world.clock.instant().plus(Duration.ofHours(2)).minus(idle).toString());
  }

  /** An annotation of next month is no promise where the namespace honors two hours. */
  @Test
  void doesNotPromiseMoreThanTheNamespaceHonors() {
    PodRef pod = world.pod("a");
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE, Map.of(Annotations.MAX_KEEP, Optional.of("2h")));
    world.annotate(
        pod, Annotations.KEEP_UNTIL, world.clock.instant().plus(Duration.ofDays(30)).toString());
    world.pass(Duration.ofHours(1));
    CycleReport report = world.cycle();
    Duration idle = about(report, "pod", "a").judgment().verdict().idleTime().orElseThrow();

    assertThat(keep(report, "pod", "a", "PT4H").sentence())
        .isEqualTo(
            "Pod research/a is kept until "
                + report.at().plus(Duration.ofHours(2)).minus(idle)
                + " already.");
  }

  @Test
  void saysWhatIsPossible_whenTheNamespaceHonorsNoRequestAnyLonger() {
    PodRef pod = world.pod("a");
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE,
        Map.of(Annotations.MAX_KEEP, Optional.of("30m"), Annotations.MODE, Optional.of("report")));
    world.pass(Duration.ofHours(3));

    assertThat(keep(world.cycle(), "pod", "a", "PT4H"))
        .isEqualTo(
            new RequestReply(
                RequestOutcome.REFUSED,
                "Its namespace honors a request to keep a workload only while it has been idle for"
                    + " less than 30m (max-keep). Work on its GPUs ends the idle time; an"
                    + " administrator may raise the bound."));
    assertThat(world.notes(pod)).doesNotContainKey("keep-until");
  }

  @Test
  void changesNothing_forWhoMayNotChangeTheOwner() {
    world.pod("web-a", 2, spec -> spec.ownedBy(WEB));
    reviews.revoke("alice");
    reviews.allow("alice", "patch", "Pod", SmallCluster.NAMESPACE);

    assertThat(keep(world.cycle(), "deployment", "web", "PT4H"))
        .isEqualTo(
            new RequestReply(
                RequestOutcome.FORBIDDEN, "alice may not change Deployment research/web."));
    assertThat(web().annotations()).doesNotContainKey(Annotations.KEEP_UNTIL);
  }

  @Test
  void saysSo_whenThePodIsGoneMeanwhile() {
    PodRef pod = world.pod("a");
    CycleReport report = world.cycle();
    world.cluster.delete(pod);
    world.pass(Duration.ofMinutes(5));

    RequestReply reply = keep(report, "pod", "a", "PT4H");

    assertThat(reply.outcome()).isEqualTo(RequestOutcome.GONE);
    assertThat(reply.sentence()).startsWith("Pod research/a was not changed: the pod is gone.");
  }

  @Test
  void restoresAReclaimedDeployment() {
    CycleReport report = reclaimed();

    RequestReply reply = restore(report);

    assertThat(reply)
        .isEqualTo(
            new RequestReply(
                RequestOutcome.ACCEPTED,
                "Deployment research/web is restored in the next cycle. Its pods then need 2 free"
                    + " GPUs, and are pending until they are free."));
    world.cycle();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.cycle().cluster().pods())
        .anyMatch(pod -> pod.ref().name().startsWith("web-") && pod.holdsGpus());
    assertThat(restore(world.cycle()).outcome()).isEqualTo(RequestOutcome.REFUSED);
  }

  @Test
  void restoresNothing_forWhoMayNotChangeTheOwner() {
    CycleReport report = reclaimed();
    reviews.revoke("alice");

    assertThat(restore(report))
        .isEqualTo(
            new RequestReply(
                RequestOutcome.FORBIDDEN, "alice may not change Deployment research/web."));
    world.cycle();
    assertThat(world.cycle().cluster().reclamations().orElseThrow())
        .allMatch(RestoreRequests::isOpen);
  }

  @Test
  void requestsARestorationOnce() {
    reclaimed();
    restore(latest());

    assertThat(restore(latest()).sentence())
        .isEqualTo("The restoration of Deployment research/web is requested already.");
  }

  private CycleReport reclaimed() {
    world.pod("web-a", 2, spec -> spec.ownedBy(WEB));
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(Duration.ofMinutes(20));
    world.cycle();
    world.pass(Duration.ofMinutes(5));
    return world.cycle();
  }

  /** What a page shows now, without a cycle in between. */
  private CycleReport latest() {
    CycleReport empty = new UserRequestsTest().world.cycle();
    return new CycleReport(
        world.clock.instant(),
        world.cluster.view(),
        empty.observation(),
        List.of(),
        List.of(),
        empty.plan(),
        List.of());
  }

  private CycleReport reportBeforeTheAction() {
    world.cluster.annotateNamespace(
        SmallCluster.NAMESPACE, Map.of(Annotations.MODE, Optional.of("report")));
    CycleReport report = world.cycle();
    world.mode("always");
    return report;
  }

  private RequestReply keep(CycleReport report, String kind, String name, String duration) {
    return keeps.keep(
        about(report, kind, name).judgment(), report.at(), Duration.parse(duration), ALICE);
  }

  private RequestReply restore(CycleReport report) {
    return report.cluster().reclamations().orElseThrow().stream()
        .findFirst()
        .map(record -> restores.restore(record, ALICE))
        .orElseThrow();
  }

  private static Explanation about(CycleReport report, String kind, String name) {
    return Explanation.of(report, new ExplainedObject(SmallCluster.NAMESPACE, kind, name))
        .orElseThrow();
  }

  private OwnerView web() {
    return world.cluster.view().owners().values().stream()
        .filter(owner -> owner.owner().kind().equals("Deployment"))
        .findFirst()
        .orElseThrow();
  }
}
