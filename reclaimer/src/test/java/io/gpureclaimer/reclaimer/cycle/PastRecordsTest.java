package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records of actions that are over. */
class PastRecordsTest {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final ObjectRef WEB =
      new ObjectRef("apps/v1", "Deployment", SmallCluster.NAMESPACE, "web", "uid-of-web");

  private final SmallCluster world = SmallCluster.in("always");

  @ParameterizedTest
  @EnumSource(names = {"RESTORED", "SUPERSEDED", "CONTESTED", "FAILED"})
  void isDeleted_aWeekAfterItsEnd(ReclamationState state) {
    create("web-1", state);
    world.clock.advance(WEEK.minusSeconds(1));
    world.cycle();
    assertThat(records()).hasSize(1);

    world.clock.advance(Duration.ofSeconds(1));
    world.cycle();

    assertThat(records()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"INTENDED", "ACTING", "RECLAIMED", "RESTORING"})
  void isKept_whileItIsNotOver(ReclamationState state) {
    Reclamation open = record("web-1", state, Optional.empty(), world.clock.instant());

    assertThat(open.isPast(world.clock.instant().plus(Duration.ofDays(700)))).isFalse();
  }

  @Test
  void isKept_whileItProtectsItsOwner() {
    Instant end = world.clock.instant();
    Instant keptUntil = end.plus(Duration.ofDays(30));
    Reclamation restored = record("web-1", ReclamationState.RESTORED, Optional.of(keptUntil), end);

    assertThat(restored.isPast(end.plus(WEEK))).isFalse();
    assertThat(restored.isPast(keptUntil)).isTrue();
  }

  @Test
  void areDeletedTwentyInACycle() {
    IntStream.range(0, 25).forEach(i -> create("web-" + i, ReclamationState.RESTORED));
    world.clock.advance(WEEK);

    world.cycle();
    assertThat(records()).hasSize(5);

    world.cycle();
    assertThat(records()).isEmpty();
  }

  @Test
  void areKept_inADryRun() {
    create("web-1", ReclamationState.RESTORED);
    world.clock.advance(WEEK);

    InMemoryReplica.rehearsing(world).run();
    InMemoryReplica.following("replica-2", world).run();

    assertThat(records()).hasSize(1);
  }

  @Test
  void doNotStopTheCycle_whenTheyCannotBeDeleted() {
    create("web-1", ReclamationState.RESTORED);
    world.clock.advance(WEEK);

    world.cluster.refuse(ApiVerb.WRITE_RECORD, 403, "forbidden");
    world.cycle();
    world.cluster.allow(ApiVerb.WRITE_RECORD);
    world.wire.before(
        ApiInterceptor.InterceptedCall.DELETE,
        () -> {
          throw new ClusterUnreachable("delete", "no answer within 10000 ms");
        });
    world.cycle();
    assertThat(records()).hasSize(1);

    world.cycle();
    assertThat(records()).isEmpty();
  }

  @Test
  void areNotCreatedAgain() {
    create("web-1", ReclamationState.RESTORED);
    InMemoryReplica other = InMemoryReplica.following("replica-2", world);
    world.cycle();
    other.run();
    world.clock.advance(WEEK);
    world.cycle();
    other.run();

    world.replica.leadership().loseTo("replica-2");
    other.leadership().win();
    other.run();
    other.run();

    assertThat(records()).isEmpty();
  }

  private void create(String name, ReclamationState state) {
    var _ = world.cluster.create(record(name, state, Optional.empty(), world.clock.instant()));
  }

  private static Reclamation record(
      String name, ReclamationState state, Optional<Instant> keptUntil, Instant end) {
    var change =
        new FieldChange(
            WEB, FieldChange.SCALE, "/spec/replicas", Optional.of("2"), Optional.of("0"));
    var progress =
        new ReclamationProgress(
            state,
            "scale",
            name,
            "",
            WEB,
            "1",
            List.of(),
            1,
            Optional.empty(),
            "",
            List.of(change),
            Timeline.recorded(end, end, end).ended(end));
    return new Reclamation(
        SmallCluster.NAMESPACE,
        name,
        "",
        "",
        new RestoreRequest(false, keptUntil),
        Optional.of(progress));
  }

  private List<Reclamation> records() {
    return world.cluster.view().reclamations().orElseThrow();
  }
}
