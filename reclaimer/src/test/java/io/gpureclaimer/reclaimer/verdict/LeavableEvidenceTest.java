package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.cluster;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.seen;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.warned;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads are warned after 45 minutes; all evidence is read from 3 minutes before that on. */
class LeavableEvidenceTest {
  private static final Judge JUDGE = new Judge(DEFAULTS, LIMITS);
  private static final Duration MARGIN = Duration.ofMinutes(3);

  @ParameterizedTest(name = "{0}, idle for {1}: {2}")
  @CsvSource({
    "always, 5m, RECORD",
    "always, 41m59s, RECORD",
    "always, 42m, ",
    "always, 44m59s, ",
    "always, 46m, ",
    "always, 5s, ",
    "on-demand, 5m, RECORD",
    "on-demand, 2h, ",
    "report, 5m, RECORD_AND_SIGNALS",
    "report, 59m, RECORD_AND_SIGNALS",
    "report, 2h, RECORD_AND_SIGNALS"
  })
  void recordsAreReadAgain_beforeAStepIsPossible(String mode, String idleFor, LeftOut expected) {
    PodView pod = pod("a").draw();

    assertThat(leavable(mode, List.of(pod), seen(idle(pod, idleFor))))
        .isEqualTo(expected == null ? Map.of() : Map.of(pod.ref().uid(), expected));
  }

  @Test
  void nothingIsLeftOut_whileThePodIsWarned() {
    PodView pod = pod("a").with(warned("5m", "50m")).draw();

    assertThat(leavable("always", List.of(pod), seen(idle(pod, "50m")))).isEmpty();
  }

  @Test
  void nothingIsLeftOut_whileAnotherPodOfTheWorkloadWorks() {
    PodView one = pod("a").owner("StatefulSet", "gang").draw();
    PodView other = pod("b").owner("StatefulSet", "gang").draw();

    assertThat(leavable("always", List.of(one, other), seen(idle(one, "10m"), idle(other, "0s"))))
        .isEmpty();
  }

  @Test
  void nothingIsLeftOut_withoutAnswer() {
    assertThat(leavable("report", List.of(pod("a").draw()), new Observation.Blind("no answer")))
        .isEmpty();
  }

  /** The record says 30 minutes, and is 13 minutes old. */
  @Test
  void theAgeOfARecordThatWasLeftOutCounts() {
    PodView pod = pod("a").draw();

    assertThat(leavable("always", List.of(pod), seen(leftOut(pod, "43m", "13m")))).isEmpty();
    assertThat(leavable("always", List.of(pod), seen(leftOut(pod, "41m", "13m")))).isNotEmpty();
  }

  /** The limit was lowered since: the record was read long enough ago to hide work. */
  @ParameterizedTest
  @CsvSource({"always", "on-demand", "notify"})
  void noWarningFollows_fromARecordThatWasLeftOut(String mode) {
    PodView pod = pod("a").draw();

    assertThat(verdict(mode, pod, leftOut(pod, "2h", "4m")))
        .isInstanceOfSatisfying(
            Verdict.Unknown.class,
            unknown ->
                assertThat(unknown.evidence().cause()).isEqualTo(Evidence.UnknownCause.STALE));
  }

  @Test
  void noActionFollows_fromARecordThatWasLeftOut() {
    PodView pod = pod("a").with(warned("20m", "2h")).draw();

    assertThat(verdict("always", pod, idle(pod, "2h"))).isInstanceOf(Verdict.Due.class);
    assertThat(verdict("always", pod, leftOut(pod, "2h", "1m")))
        .isInstanceOf(Verdict.Unknown.class);
  }

  private static PodActivity leftOut(PodView pod, String idleFor, String readAgo) {
    Instant read = ago(readAgo);
    PodActivity known = idle(pod, idleFor);
    return new PodActivity(
            known.uid(),
            known.devices().stream()
                .map(
                    device ->
                        new DeviceActivity(
                            device.device(),
                            device.lastActive(),
                            device.observedSince(),
                            read,
                            read,
                            device.recentUtilization()))
                .toList())
        .leftOut(LeftOut.RECORD, List.of());
  }

  private static Map<String, LeftOut> leavable(
      String mode, List<PodView> pods, Observation observation) {
    ClusterView cluster = cluster(namespace("ml", "mode", mode), pods.toArray(PodView[]::new));
    return LeavableEvidence.of(JUDGE.judge(cluster, observation, NOW), observation, MARGIN);
  }

  private static Verdict verdict(String mode, PodView pod, PodActivity activity) {
    ClusterView cluster = cluster(namespace("ml", "mode", mode), pod);
    return JUDGE.judge(cluster, seen(activity), NOW).getFirst().verdict();
  }
}
