package io.gpureclaimer.reclaimer.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.ByName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is judged of pods that a source knows by their names only, and of parts of GPUs. */
class JoinedPodsTest {
  private static final Judge JUDGE = new Judge(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS);

  @Test
  void judgesAPodByItsName_fromItsStartOn() {
    PodView pod = PodDraft.pod("a").startedAt(JudgeScenario.ago("40m")).draw();

    assertThat(verdict(pod, named("a")))
        .isInstanceOfSatisfying(
            Verdict.Watching.class,
            watching -> assertThat(watching.idleFor()).isEqualTo(Duration.ofMinutes(40)));
  }

  @Test
  void knowsNothingOfAPod_thatHasOnlyTheNameAndNoStart() {
    assertThat(verdict(PodDraft.pod("a").draw(), named("a"))).isInstanceOf(Verdict.Unknown.class);
  }

  @Test
  void knowsNothingOfAPod_thatStartedAfterTheLastSample() {
    Instant later = JudgeScenario.NOW.plusSeconds(20);

    assertThat(verdict(PodDraft.pod("a").startedAt(later).draw(), named("a")))
        .isInstanceOf(Verdict.Unknown.class);
  }

  @Test
  void knowsThatAGpuIsShared_withAnUnknownPod() {
    PodView pod = PodDraft.pod("a").startedAt(JudgeScenario.ago("40m")).draw();
    ByName both =
        new ByName(
            Map.of(name("a"), activity("ml/a"), name("stranger"), activity("ml/stranger")),
            Map.of());

    assertThat(verdict(pod, seen(Map.of(), both))).isInstanceOf(Verdict.Protected.class);
  }

  @Test
  void knowsThatAGpuIsShared_whenOthersHaveItsInstances() {
    PodView pod = PodDraft.pod("a").draw();
    DeviceActivity whole = JudgeScenario.device("0", "3h");
    var instance =
        new DeviceActivity(
            Entity.instance(whole.device().gpu(), 1),
            whole.lastActive(),
            whole.observedSince(),
            whole.observedUntil(),
            whole.sampledAt(),
            whole.recentUtilization());
    Map<String, PodActivity> pods =
        Map.of(
            pod.ref().uid(),
            new PodActivity(pod.ref().uid(), List.of(whole)),
            "b",
            new PodActivity("b", List.of(instance)));

    assertThat(verdict(pod, seen(pods, ByName.nothing()))).isInstanceOf(Verdict.Protected.class);
  }

  private static Observation named(String name) {
    return seen(Map.of(), new ByName(Map.of(name(name), activity("ml/" + name)), Map.of()));
  }

  private static Observation seen(Map<String, PodActivity> pods, ByName unjoined) {
    return new Observation.Seen(
        JudgeScenario.NOW, pods, List.of(), unjoined, Optional.empty(), Optional.empty());
  }

  private static PodActivity activity(String key) {
    return new PodActivity(key, List.of(JudgeScenario.device("0", "3h")));
  }

  private static PodName name(String name) {
    return new PodName("ml", name);
  }

  private static Verdict verdict(PodView pod, Observation observation) {
    return JUDGE
        .judge(
            JudgeScenario.cluster(JudgeScenario.namespace("ml", "mode", "always"), pod),
            observation,
            JudgeScenario.NOW)
        .getFirst()
        .verdict();
  }
}
