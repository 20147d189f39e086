package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ProvisioningParser.OfPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Karpenter announces, and its NodeClaim {@code gone} does not bring. */
class EventAnnouncementsTest {
  private static final PodRef POD = new PodRef("ml", "w", "uid-w");
  private static final Instant AT = Instant.parse("2026-03-02T12:00:00Z");

  private Instant now = AT.plusSeconds(300);

  @Test
  void countsWhatNamesAnotherNodeClaim_orNone() {
    OfPod other = event(AT, "coming");
    OfPod none = new OfPod(POD, notice(false, AT), Optional.empty());

    assertThat(announced(other, none).announcements())
        .isEqualTo(Map.of(POD, List.of(notice(true, AT), notice(false, AT))));
  }

  @Test
  void countsNoNodeThatDoesNotCome() {
    assertThat(announced(event(AT, "gone")).announcements()).isEmpty();
  }

  @Test
  void countsEachForSomeTime_inAnyCase() {
    now = AT.plusSeconds(30);
    assertThat(announced(event(AT, "gone")).announcements()).hasSize(1);

    now = AT.plusSeconds(31);
    assertThat(announced(event(AT, "gone")).announcements()).isEmpty();
  }

  @Test
  void announcementsOfKarpenterBeginWithTheFirst_alsoIfThatDoesNotCount() {
    Instant later = AT.plusSeconds(60);
    var autoscaler = new ProvisioningNotice("Cluster Autoscaler", true, later, later);
    EventAnnouncements announced = announced(event(AT, "gone"), event(later, "coming"));

    assertThat(
            announced.withFirstTimes(
                Map.of(POD, List.of(notice(true, later), notice(false, later), autoscaler))))
        .isEqualTo(
            Map.of(
                POD,
                List.of(
                    new ProvisioningNotice("Karpenter", true, AT, later),
                    notice(false, later),
                    autoscaler)));
  }

  @Test
  void addsNoPod_forWhichNothingCounts() {
    assertThat(announced(event(AT, "gone")).withFirstTimes(Map.of())).isEmpty();
  }

  private EventAnnouncements announced(OfPod... events) {
    return new EventAnnouncements(
        Map.of(POD, Arrays.asList(events)), "gone"::equals, Duration.ofSeconds(30), now);
  }

  private static OfPod event(Instant at, String nodeClaim) {
    return new OfPod(POD, notice(true, at), Optional.of(nodeClaim));
  }

  private static ProvisioningNotice notice(boolean provides, Instant at) {
    return new ProvisioningNotice("Karpenter", provides, at, at);
  }
}
