package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The time between the last check of a workload and each write of its owners. */
class LateWritesTest {
  private static final String REPLICAS = "/spec/replicas";
  private static final String SUSPEND = "/spec/suspend";
  private static final OwnerSpec WEB = new OwnerSpec(OwnerType.DEPLOYMENT, "web");
  private static final OwnerSpec NIGHT = new OwnerSpec(OwnerType.CRON_JOB, "night");
  private static final OwnerSpec FIRST = new OwnerSpec(OwnerType.JOB, "night-1").below(NIGHT);
  private static final OwnerSpec SECOND = new OwnerSpec(OwnerType.JOB, "night-2").below(NIGHT);
  private static final Duration TOO_LONG = Duration.ofSeconds(11);

  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void writesNothing_whenTheRecordTookTooLong() {
    deploymentIsDue();
    world.wire.after(ApiInterceptor.InterceptedCall.RECORD, () -> world.clock.advance(TOO_LONG));

    world.cycle();

    assertThat(field(WEB, REPLICAS)).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
    assertThat(progress().message())
        .isEqualTo(
            "Nothing was changed: the API server was too slow: more than 10s have passed since the"
                + " last check of the workload, which is checked again before the next try.");
    assertThat(world.wire.takeCalls()).doesNotContain(ApiInterceptor.InterceptedCall.CHANGE);
  }

  @Test
  void writesNothing_whenTheReadOfTheOwnerTookTooLong() {
    deploymentIsDue();
    world.wire.after(
        ApiInterceptor.InterceptedCall.RECORD,
        () ->
            world.wire.after(
                ApiInterceptor.InterceptedCall.GET, () -> world.clock.advance(TOO_LONG)));

    world.cycle();

    assertThat(field(WEB, REPLICAS)).contains("2");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
  }

  @Test
  void writes_whenTheRecordTookLongButNotTooLong() {
    deploymentIsDue();
    world.wire.after(
        ApiInterceptor.InterceptedCall.RECORD, () -> world.clock.advance(TOO_LONG.minusSeconds(2)));

    world.cycle();

    assertThat(field(WEB, REPLICAS)).contains("0");
  }

  @Test
  void triesAgainWithFreshEvidence_afterASlowTry() {
    deploymentIsDue();
    world.wire.after(ApiInterceptor.InterceptedCall.RECORD, () -> world.clock.advance(TOO_LONG));
    world.cycle();
    world.pass(Duration.ofMinutes(1));

    world.cycle();

    assertThat(field(WEB, REPLICAS)).contains("0");
    assertThat(progress().state()).isEqualTo(ReclamationState.ACTING);
  }

  @Test
  void takesTheFirstWriteBack_whenTheSecondWouldComeTooLate() {
    world.pod("night-1-a", 1, pod -> pod.ownedBy(FIRST));
    world.pod("night-2-a", 1, pod -> pod.ownedBy(SECOND));
    becomeDue();
    world.wire.after(
        ApiInterceptor.InterceptedCall.CHANGE,
        () -> {
          assertThat(suspended()).containsExactlyInAnyOrder("true", "absent");
          world.clock.advance(TOO_LONG);
        });

    world.cycle();

    assertThat(suspended()).containsExactly("absent", "absent");
    assertThat(progress().state()).isEqualTo(ReclamationState.FAILED);
  }

  /** What people do between the last check and the write. */
  enum Edit {
    FIELD,
    ANNOTATION
  }

  @ParameterizedTest
  @EnumSource
  void leavesAnOwnerAlone_whichWasEditedAfterTheLastCheck(Edit edit) {
    deploymentIsDue();
    world.wire.after(
        ApiInterceptor.InterceptedCall.RECORD,
        () -> {
          switch (edit) {
            case FIELD ->
                world.cluster.writeOwnerField(
                    SmallCluster.NAMESPACE, WEB, "/spec/minReadySeconds", Optional.of("5"));
            case ANNOTATION ->
                world.cluster.annotateOwner(
                    SmallCluster.NAMESPACE, WEB, Map.of("team", Optional.of("vision")));
          }
        });

    world.cycle();

    assertThat(field(WEB, REPLICAS)).contains("2");
    assertThat(progress().message()).contains("it was edited after it was judged");
  }

  @Test
  void stopsAnOwner_whoseStatusAloneHasChangedSinceTheLastCheck() {
    deploymentIsDue();
    world.wire.after(
        ApiInterceptor.InterceptedCall.RECORD,
        () ->
            world.cluster.writeOwnerField(
                SmallCluster.NAMESPACE, WEB, "/status/replicas", Optional.of("2")));

    world.cycle();

    assertThat(field(WEB, REPLICAS)).contains("0");
  }

  private void deploymentIsDue() {
    world.pod("web-a", 1, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pod("web-b", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    becomeDue();
  }

  private void becomeDue() {
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.wire.takeCalls();
  }

  private List<String> suspended() {
    return List.of(field(FIRST, SUSPEND).orElse("absent"), field(SECOND, SUSPEND).orElse("absent"));
  }

  private Optional<String> field(OwnerSpec owner, String path) {
    return world.cluster.ownerField(SmallCluster.NAMESPACE, owner, path);
  }

  private ReclamationProgress progress() {
    return world.cluster.view().reclamations().orElseThrow().getFirst().status().orElseThrow();
  }
}
