package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.evidence.IdlePast.IdleOutcomes;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastSpell;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.verdict.OwnPast;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the past of idle workloads is read, and what is known of it. */
class PastOfWorkloadsTest {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** No pod needs the GPUs, so that a due workload stays due. */
  private final SmallCluster world = SmallCluster.in("on-demand");

  @Test
  void isNotRead_beforeAWorkloadIsDue() {
    world.warnedPod("train-0");

    assertThat(world.agents.pastLooks()).isEmpty();
  }

  @Test
  void isReadOnceAnHour_ofAllThatAreIdle() {
    world.pod("train-0");
    world.pass(MINUTE);
    world.pod("train-1");
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    pass(Duration.ofMinutes(75));

    assertThat(world.agents.pastLooks()).hasSize(2);
    assertThat(world.agents.pastLooks())
        .allSatisfy(
            pods ->
                assertThat(pods)
                    .extracting(PodNamePattern::prefix, each -> each.pattern().pattern())
                    .containsExactly(tuple("", "train-0"), tuple("", "train-1")));
  }

  @Test
  void countsWhatFollowedOnAnIdleTimeAsLong() {
    world.agents.remember(PastOfWorkloadsTest::workedAfter80Minutes);

    assertThat(pastWhenDue())
        .isEqualTo(new OwnPast.Counted(new IdleOutcomes(1, 1), new IdleOutcomes(1, 1), WEEK));
  }

  @Test
  void isUnread_whenTheQueryFails_andNothingElseChanges() {
    world.agents.remember(_ -> new PastActivity.Unknown("expected an answer, found none"));

    assertThat(pastWhenDue()).isEqualTo(new OwnPast.Unread("expected an answer, found none"));
    pass(Duration.ofMinutes(30));
    assertThat(world.agents.pastLooks()).hasSize(1);
  }

  @Test
  void isReadOfThoseIdleForLongest_asManyAsFitIntoOneQuery() {
    world.cluster.addNode(
        NodeSpec.of(
            "node-2", IntStream.range(8, 48).mapToObj(i -> new GpuUuid("GPU-" + i)).toList()));
    String longName = "x".repeat(230);
    for (int i = 10; i < 50; i++) {
      world.pod(longName + i);
      world.pass(Duration.ofSeconds(1));
    }
    pass(SmallCluster.UNTIL_WARNED.plusMinutes(16));

    assertThat(world.agents.pastLooks().getLast())
        .hasSize(28)
        .extracting(pods -> pods.pattern().pattern())
        .startsWith(longName + "10");
    assertThat(pastOf(longName + "10")).isInstanceOf(OwnPast.Counted.class);
    assertThat(pastOf(longName + "49"))
        .isEqualTo(new OwnPast.Unread("history was read of the workloads idle for longest only"));
  }

  /** An owner whose pods do not bear its name: each pod has a pattern of its own. */
  @Test
  void isUnread_ofAWorkloadWhoseNamesAreTooLong_andReadOfThoseAfterIt() {
    var owner = new OwnerSpec(OwnerSpec.OwnerType.REPLICA_SET, "owner");
    for (int i = 0; i < 29; i++) {
      int next = i;
      world.cluster.addNode(NodeSpec.of("other-" + i, List.of(new GpuUuid("GPU-of-other-" + i))));
      world.pod("x".repeat(248) + next, 1, pod -> pod.ownedBy(owner));
    }
    pass(SmallCluster.UNTIL_WARNED.plusMinutes(16));
    assertThat(world.agents.pastLooks()).isEmpty();
    assertThat(pastOf("owner"))
        .isEqualTo(new OwnPast.Unread("the names of its pods are too long for one query"));

    world.pod("train-0");
    pass(SmallCluster.UNTIL_WARNED.plusMinutes(60));
    assertThat(pastOf("train-0")).isInstanceOf(OwnPast.Counted.class);
  }

  /** It became idle after the query, and is due before the next one. */
  @Test
  void isUnread_ofAWorkloadThatWasNotIdleAtTheLastQuery() {
    world.agents.remember(PastOfWorkloadsTest::workedAfter80Minutes);
    pastWhenDue();
    PodRef late = world.pod("late-0");
    world.annotate(late, Annotations.IDLE_AFTER, "30m");
    world.annotate(late, Annotations.WARN_BEFORE, "10m");
    pass(Duration.ofMinutes(40));

    assertThat(pastOf("late-0"))
        .isEqualTo(
            new OwnPast.Unread(
                "it was not idle when history was read last, which is once an hour"));
    assertThat(world.agents.pastLooks()).hasSize(1);
  }

  @Test
  void isNotReadAtAll_whenItIsSwitchedOff() {
    var off = new PastOfWorkloads(world.agents, Duration.ZERO);
    pastWhenDue();
    var judgments = world.cycle().judgments();
    int before = world.agents.pastLooks().size();

    assertThat(off.addTo(judgments, world.clock.instant())).isEqualTo(judgments);
    assertThat(world.agents.pastLooks()).hasSize(before);
  }

  /** Idle from the begin of the range on, and at work 80 minutes later; then unobserved. */
  private static PastActivity workedAfter80Minutes(PastActivity answer) {
    if (!(answer instanceof PastActivity.Known known)) {
      return answer;
    }
    Instant begin = known.range().from();
    return new PastActivity.Known(
        known.range(),
        List.of(
            new PastPod(
                new PodName("research", "train-0"),
                List.of(
                    new PastSpell(Optional.empty(), begin, known.range().at(7), 1, 7),
                    new PastSpell(
                        Optional.of(known.range().at(8)), begin, known.range().at(9), 9, 9)))));
  }

  private OwnPast pastWhenDue() {
    world.warnedPod("train-0");
    pass(Duration.ofMinutes(16));
    return pastOf("train-0");
  }

  private OwnPast pastOf(String pod) {
    return world.cycle().judgments().stream()
        .map(judgment -> judgment.verdict())
        .filter(Due.class::isInstance)
        .map(Due.class::cast)
        .filter(due -> due.workload().name().equals(pod))
        .map(Due::past)
        .findFirst()
        .orElseThrow();
  }

  private void pass(Duration time) {
    for (long minute = 0; minute < time.toMinutes(); minute++) {
      world.pass(MINUTE);
      world.cycle();
    }
  }
}
