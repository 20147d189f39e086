package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookRequest;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The chance to save its state that a workload has right before an action. */
class CheckpointHooksTest {
  private static final String URL = "http://saver.research.svc.cluster.local:8080/checkpoint";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void calls_andActsInALaterCycle_afterAnotherCheck() {
    PodRef pod = hooked("train-0");
    makeDue();

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.replica.takeDeeds())
        .containsExactly("evict train-0: not yet: its checkpoint hook has not answered yet");

    world.pass(MINUTE);
    world.cycle();

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(world.agents.secondLooks()).hasSize(2);
    assertThat(world.hooks.requests()).hasSize(1);
    assertThat(world.lastMessage())
        .contains("; its checkpoint hook confirmed at 2026-03-02T09:00:00Z.");
  }

  @Test
  void reportsWhatFollows() {
    PodRef pod = hooked("train-0");
    makeDue();
    String action = world.notes(pod).getOrDefault("action-id", "");

    world.cycle();

    assertThat(world.hooks.requests())
        .containsExactly(
            new HookRequest(
                action,
                "evict",
                "research",
                "Pod",
                "train-0",
                List.of("train-0"),
                "2026-03-02T09:00:00Z",
                Optional.of(Duration.ofSeconds(30)),
                InMemoryReplica.LIMITS_OF_HOOKS.timeout()));
  }

  @Test
  void waitsForTheAnswer_butNotForLong() {
    PodRef pod = hooked("train-0");
    world.hooks.keepSilent();
    makeDue();
    world.cycle();
    world.pass(Duration.ofSeconds(29));
    world.cycle();
    world.replica.takeDeeds();

    world.pass(Duration.ofSeconds(1));
    world.cycle();

    assertThat(world.replica.takeDeeds())
        .containsExactly(
            "evict train-0: not before 2026-03-02T09:01:00Z: its checkpoint hook did not confirm:"
                + " no answer within 30 s");
    assertThat(world.hooks.requests()).hasSize(1);
    assertThat(world.hooks.unanswered()).allMatch(CompletableFuture::isCancelled);
    assertThat(world.isEvicted(pod)).isFalse();
  }

  @Test
  void actsWithoutACheckpoint_onlyAfterAllAttempts_andSaysSo() {
    PodRef pod = hooked("train-0");
    world.hooks.refuse("it answered 409, which means not now");
    makeDue();
    int calls = 0;

    for (int minute = 0; minute < 30 && !world.isEvicted(pod); minute++) {
      calls = world.hooks.requests().size();
      world.cycle();
      world.pass(MINUTE);
    }

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(calls).isEqualTo(InMemoryReplica.LIMITS_OF_HOOKS.attempts());
    assertThat(world.hooks.requests()).hasSize(calls);
    assertThat(world.lastMessage())
        .contains(
            "; no checkpoint was confirmed in 3 calls of its hook: it answered 409, which means"
                + " not now.");
  }

  @Test
  void sparesThePod_whenItWorksWhileItsHookIsCalled() {
    PodRef pod = hooked("train-0");
    world.hooks.keepSilent();
    makeDue();
    world.cycle();
    world.agents.work(pod);
    world.hooks.answer();

    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.reported(pod)).endsWith("GPUIdleWarningWithdrawn");
  }

  @Test
  void acts_whenItIsDueAgain_whereOnlyTheCheckpointMadeItWork() {
    PodRef pod = hooked("train-0");
    world.hooks.onCheckpoint(() -> workFor(pod));
    makeDue();
    world.cycle();
    world.pass(MINUTE);
    world.cycle();
    assertThat(world.reported(pod)).endsWith("GPUIdleWarningWithdrawn");

    makeDue();
    world.cycle();

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(world.hooks.requests()).hasSize(1);
  }

  @Test
  void callsAgain_whenItHasWorkedSinceTheCheckpoint() {
    PodRef pod = hooked("train-0");
    world.hooks.onCheckpoint(() -> workFor(pod));
    makeDue();
    world.cycle();
    world.pass(Duration.ofMinutes(5));
    workFor(pod);
    world.cycle();

    makeDue();
    world.cycle();

    assertThat(world.isEvicted(pod)).isFalse();
    assertThat(world.hooks.requests()).hasSize(2);
  }

  @Test
  void countsAttemptsOn_whereAFailedCheckpointMadeItWork() {
    PodRef pod = hooked("train-0");
    world.hooks.onCheckpoint(() -> workFor(pod));
    world.hooks.refuse("it answered 500");

    for (int hour = 0; hour < 6 && !world.isEvicted(pod); hour++) {
      for (int minute = 0; minute < 70; minute++) {
        world.pass(MINUTE);
        world.cycle();
      }
    }

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(world.hooks.requests()).hasSize(3);
  }

  @Test
  void ignoresAHookThatIsNotAllowed_andSaysSo() {
    String foreign = "http://saver.other.svc.cluster.local/checkpoint";
    PodRef pod = world.pod("train-0", 1, spec -> hookedAt(spec, foreign));
    makeDue();

    CycleReport report = world.cycle();

    assertThat(world.isEvicted(pod)).isTrue();
    assertThat(world.hooks.requests()).isEmpty();
    assertThat(report.judgments().getFirst().policy().orElseThrow().remarks())
        .containsExactly(
            new Remark(
                "pod research/train-0",
                Annotations.CHECKPOINT_URL,
                "http://saver.other.svc.cluster.local:80/checkpoint",
                "is ignored, because the administrator does not allow it (checkpoint.allowed)"));
  }

  @Test
  void callsNothing_inADryRun() {
    hooked("train-0");
    makeDue();

    InMemoryReplica.rehearsing(world).run();

    assertThat(world.hooks.requests()).isEmpty();
  }

  @Test
  void callsOnce_whereAllPodsNameTheSameHook_andRecordsTheAnswer() {
    OwnerSpec set = OwnerSpec.ofDeployment("web", "5d4f");
    world.pod("web-a", 1, spec -> hookedAt(spec, URL).ownedBy(set));
    world.pod("web-b", 1, spec -> hookedAt(spec, URL).ownedBy(set));
    makeDue();

    world.cycle();
    world.pass(MINUTE);
    world.cycle();

    assertThat(world.hooks.requests())
        .singleElement()
        .matches(request -> request.pods().equals(List.of("web-a", "web-b")))
        .matches(request -> request.kind().equals("Deployment"));
    assertThat(world.cluster.view().reclamations().orElseThrow())
        .singleElement()
        .matches(
            record ->
                record
                    .status()
                    .orElseThrow()
                    .evidence()
                    .endsWith("; its checkpoint hook confirmed at 2026-03-02T09:00:00Z"));
  }

  @Test
  void callsAgain_whenThePodsWereReplaced() {
    OwnerSpec set = OwnerSpec.ofDeployment("web", "5d4f");
    PodRef pod = world.pod("web-a", 1, spec -> hookedAt(spec, URL).ownedBy(set));
    makeDue();
    world.cycle();
    world.cluster.delete(pod);
    world.pass(MINUTE);
    world.cycle();

    makeDue();
    world.cycle();

    assertThat(world.hooks.requests()).hasSize(2);
    assertThat(world.cluster.view().reclamations().orElseThrow()).isEmpty();
  }

  @Test
  void callsTheHookThatTheOwnerNames() {
    OwnerSpec set = OwnerSpec.ofDeployment("web", "5d4f");
    world.pod("web-a", 1, spec -> spec.ownedBy(set));
    world.cluster.annotateOwner(
        SmallCluster.NAMESPACE,
        new OwnerSpec(OwnerType.DEPLOYMENT, "web"),
        Map.of(Annotations.CHECKPOINT_URL, Optional.of(URL)));
    makeDue();

    world.cycle();

    assertThat(world.hooks.requests()).hasSize(1);
  }

  @Test
  void callsNone_whenPodsNameTooMany() {
    OwnerSpec set = OwnerSpec.ofDeployment("web", "5d4f");
    IntStream.range(0, 8)
        .forEach(i -> world.pod("web-" + i, 1, spec -> hookedAt(spec, URL + i).ownedBy(set)));
    IntStream.range(8, 11)
        .forEach(
            i ->
                world.cluster.submit(
                    hookedAt(PodSpec.bare(SmallCluster.NAMESPACE, "web-" + i, 1), URL + i)
                        .ownedBy(set)));
    makeDue();
    world.cycle();
    world.replica.takeDeeds();

    world.cycle();

    assertThat(world.hooks.requests()).isEmpty();
    assertThat(world.replica.takeDeeds())
        .singleElement()
        .asString()
        .endsWith("its pods name 11 hooks, expected at most 10");
  }

  @Test
  void delaysNoOtherWorkload() {
    PodRef first = hooked("train-0");
    world.hooks.keepSilent();
    PodRef second = world.pod("train-1");
    makeDue();

    world.cycle();

    assertThat(world.isEvicted(first)).isFalse();
    assertThat(world.isEvicted(second)).isTrue();
  }

  @Test
  void evictsNoneOfSeveralForOnePod_beforeAllCheckpointsAreThere() {
    world.mode("on-demand");
    PodRef plain = world.pod("a-plain");
    PodRef hooked = hooked("b-hooked");
    world.agents.work(world.pod("busy", 6));
    world.hooks.keepSilent();
    makeDue();
    world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "waiting", 2));
    world.pass(MINUTE);

    world.cycle();
    assertThat(world.isEvicted(plain)).isFalse();
    assertThat(world.isEvicted(hooked)).isFalse();

    world.hooks.answer();
    world.cycle();
    assertThat(world.isEvicted(plain)).isTrue();
    assertThat(world.isEvicted(hooked)).isTrue();
  }

  @Test
  void asksForAllCheckpointsForOnePod_atOnce() {
    world.mode("on-demand");
    hooked("train-0");
    hooked("train-1");
    world.agents.work(world.pod("busy", 6));
    world.hooks.keepSilent();
    makeDue();
    world.cluster.submit(PodSpec.bare(SmallCluster.NAMESPACE, "waiting", 2));
    world.pass(MINUTE);

    world.cycle();

    assertThat(world.hooks.requests()).hasSize(2);
  }

  private PodRef hooked(String name) {
    return world.pod(name, 1, spec -> hookedAt(spec, URL));
  }

  private static PodSpec hookedAt(PodSpec pod, String url) {
    return pod.withAnnotations(Map.of(Annotations.CHECKPOINT_URL, url));
  }

  private void workFor(PodRef pod) {
    world.agents.work(pod);
    world.agents.rest(pod);
  }

  private void makeDue() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.replica.takeDeeds();
  }
}
