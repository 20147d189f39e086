package io.gpureclaimer.deviceplugin.health.device;

import static io.gpureclaimer.deviceplugin.health.device.HealthScenario.POLICY;
import static io.gpureclaimer.deviceplugin.health.device.HealthScenario.QUIET;
import static io.gpureclaimer.deviceplugin.health.device.HealthScenario.STEP;
import static io.gpureclaimer.deviceplugin.health.device.HealthScenario.part;
import static io.gpureclaimer.deviceplugin.health.device.HealthScenario.uuid;
import static io.gpureclaimer.deviceplugin.health.device.HealthScenario.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.deviceplugin.health.device.Condition.Healthy;
import io.gpureclaimer.deviceplugin.health.device.Condition.Unhealthy;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceHealthTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path folder;

  @Test
  void aGpuOfWhichNothingBadIsKnownIsHealthy_andOneThatNoSurveyBroughtIsNot() {
    HealthScenario scene = new HealthScenario(folder, 2);

    assertThat(scene.health.condition(whole(1))).isEqualTo(new Healthy());
    assertThat(scene.health.isHealthy(whole(1))).isTrue();
    assertThat(scene.health.isHealthy(whole(7))).isFalse();
    assertThat(scene.health.isHealthy(part(0, 1))).isFalse();
    assertThat(scene.health.condition(whole(7)))
        .isEqualTo(new Unhealthy(UnhealthyReason.ABSENT, "it does not respond", null));
  }

  @Test
  void anXidOfAGpuIsThatOfAllItsInstances_andNoOthers() {
    HealthScenario scene = divided();
    Instant at = scene.clock.get();

    scene.xid(0, 79);

    assertThat(scene.health.condition(part(0, 7)))
        .isEqualTo(new Unhealthy(UnhealthyReason.XID, "XID 79: GPU has fallen off the bus", at));
    assertThat(scene.health.isHealthy(part(0, 8))).isFalse();
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    assertThat(scene.health.isHealthy(part(1, 7))).isTrue();
  }

  @Test
  void aGpuThatIsAwaitedStaysWhatItWas_forThatIsNoEvidence() {
    HealthScenario scene = new HealthScenario(folder, 2);
    scene.xid(0, 74);
    scene.cards.forEach(card -> card.awaited = true);

    scene.pass(HOUR);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    assertThat(scene.health.isHealthy(whole(1))).isTrue();

    scene.cards.forEach(card -> card.awaited = false);
    scene.pass(Duration.ofMinutes(2));
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void anXidOfAnInstanceIsThatOfNoOther_butTheGpuCannotBeUsedAsAWhole() {
    HealthScenario scene = divided();

    scene.xid(0, 95, 7);

    assertThat(scene.health.isHealthy(part(0, 7))).isFalse();
    assertThat(scene.health.isHealthy(part(0, 8))).isTrue();
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    assertThat(scene.health.isHealthy(part(1, 7))).isTrue();
  }

  @Test
  void anXidOfAGpuThatIsNotDividedIsTheWholeGpus_whateverInstanceIsNamed() {
    HealthScenario scene = new HealthScenario(folder, 1);

    scene.xid(0, 79, 0);
    scene.xid(0, 79);

    assertThat(scene.health.issues().get(uuid(0)))
        .singleElement()
        .extracting(HealthIssue::instance)
        .isNull();
  }

  @Test
  void whatWasWrongWithAnInstanceIsTheWholeGpus_onceItIsRepartitioned() {
    HealthScenario scene = divided();
    scene.xid(0, 95, 7);
    scene.cards.getFirst().instances.put(7, "MIG-other");
    scene.pass(STEP);

    assertThat(scene.health.isHealthy(part(0, 8))).isFalse();
    assertThat(scene.health.isHealthy(part(1, 7))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 31, 43, 45, 63, 68, 94, 109, 154})
  void anXidThatIsNotTheGpusFaultChangesNothing(int xid) {
    HealthScenario scene = new HealthScenario(folder, 1);
    int before = scene.changes.get();

    scene.xid(0, xid);

    assertThat(scene.health.isHealthy(whole(0))).isTrue();
    assertThat(scene.changes.get()).isEqualTo(before);
  }

  @Test
  void aContainedErrorCounts_onceTheDriverWantsSomethingDone() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 94);
    scene.cards.getFirst().action = RecoveryAction.DRAIN_AND_RESET;
    scene.survey();

    assertThat(scene.health.condition(whole(0)))
        .isEqualTo(
            new Unhealthy(
                UnhealthyReason.RECOVERY_ACTION,
                "the driver wants this done first: DRAIN_AND_RESET",
                scene.clock.get()));
  }

  @ParameterizedTest
  @EnumSource(value = RecoveryAction.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyActionButNoneIsOne(RecoveryAction action) {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.cards.getFirst().action = action;
    scene.survey();

    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.cards.getFirst().action = RecoveryAction.NONE;
    scene.pass(QUIET);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.pass(STEP);
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void anActionThatIsNoLongerReportedIsNotNone() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.cards.getFirst().action = RecoveryAction.GPU_RESET;
    scene.survey();
    scene.cards.getFirst().action = null;
    scene.pass(HOUR);

    assertThat(scene.health.isHealthy(whole(0))).isFalse();
  }

  @Test
  void isHealthyAgain_whenTheDriverHasWantedNothingForTheQuietTime() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 74);

    scene.pass(QUIET);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.pass(STEP);
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void theQuietTimeBeginsAgain_whenItHappensAgain_butItIsWrongSinceTheFirst() {
    HealthScenario scene = new HealthScenario(folder, 1);
    Instant first = scene.clock.get();
    scene.xid(0, 74);
    scene.pass(QUIET);
    scene.xid(0, 74);
    scene.pass(QUIET);

    assertThat(scene.health.condition(whole(0)))
        .isEqualTo(new Unhealthy(UnhealthyReason.XID, "XID 74: NVLink error", first));
    scene.pass(STEP);
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {48, 62, 64, 79, 95, 119, 120})
  void neverHealsWithoutAReset_whatNeedsOne(int xid) {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, xid);
    scene.pass(HOUR);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();

    scene.reset(0);
    scene.pass(QUIET);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.pass(STEP);
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void aResetThatMayHaveComeBeforeTheXidIsNone() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.reset(0);
    scene.xid(0, 79);
    scene.pass(HOUR);

    assertThat(scene.health.isHealthy(whole(0))).isFalse();
  }

  @Test
  void whatHappensAfterAResetNeedsAnother() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 79);
    scene.pass(STEP);
    scene.reset(0);
    scene.pass(STEP);
    scene.xid(0, 79);
    scene.pass(HOUR);

    assertThat(scene.health.isHealthy(whole(0))).isFalse();
  }

  @Test
  void aGpuThatIsLostAndComesBackFromAReset() {
    HealthScenario scene = new HealthScenario(folder, 2);
    scene.xid(0, 79);
    scene.cards.getFirst().readable = false;
    scene.pass(HOUR);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    assertThat(scene.health.isHealthy(whole(1))).isTrue();
    scene.cards.getFirst().readable = true;
    scene.reset(0);
    scene.pass(QUIET.plus(STEP));

    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void whereNoActionIsReported_quietIsNoEvidence_unlessItIsSaidToBe() {
    HealthScenario strict = new HealthScenario(folder, 1);
    strict.cards.getFirst().action = null;
    strict.xid(0, 74);
    strict.pass(HOUR);
    assertThat(strict.health.isHealthy(whole(0))).isFalse();
    strict.reset(0);
    strict.pass(QUIET.plus(STEP));
    assertThat(strict.health.isHealthy(whole(0))).isTrue();

    var lenient = new HealthPolicy(HealthChecks.ALL, QUIET, true);
    HealthScenario scene = new HealthScenario(folder.resolve("other"), 1, lenient);
    scene.cards.getFirst().action = null;
    scene.xid(0, 74);
    scene.pass(QUIET.plus(STEP));
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void aDoubleBitErrorWantsTheDriversWord() {
    HealthScenario scene = new HealthScenario(folder, 2);
    scene.doubleBitError(0);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    assertThat(scene.health.isHealthy(whole(1))).isTrue();
    scene.pass(QUIET.plus(STEP));

    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @ParameterizedTest(name = "compute capability {0}: healthy {1}")
  @CsvSource({"7, false", "8, true", "9, true"})
  void aDoubleBitErrorIsForXidsToReport_whereTheyReportWhetherItWasContained(
      int major, boolean healthy) {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.cards.getFirst().capability = new ComputeCapability(major, 5);
    scene.survey();
    scene.doubleBitError(0);
    scene.xid(0, 94);
    assertThat(scene.health.isHealthy(whole(0))).isEqualTo(healthy);
    scene.xid(0, 95);

    assertThat(scene.health.isHealthy(whole(0))).isFalse();
  }

  @Test
  void aGpuThatDoesNotAnswerHasToAnswerForTheQuietTime_evenWithoutAnAction() {
    HealthScenario scene = new HealthScenario(folder, 2);
    scene.cards.getFirst().action = null;
    scene.cards.getFirst().readable = false;
    scene.survey();
    assertThat(scene.health.condition(whole(0)))
        .isEqualTo(
            new Unhealthy(
                UnhealthyReason.UNREADABLE, "its name cannot be read", scene.clock.get()));
    assertThat(scene.health.isHealthy(whole(1))).isTrue();
    scene.cards.getFirst().readable = true;
    scene.pass(QUIET);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.pass(STEP);
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void whatIsNotSubscribedToIsNotQuiet() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 74);
    scene.health.ends(uuid(0));
    scene.pass(HOUR);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.health.begins(uuid(0));
    scene.pass(QUIET.plus(STEP));

    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void anHourWithoutPollsIsNoQuietHour() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 74);
    scene.survey();
    scene.clock.updateAndGet(now -> now.plus(HOUR));
    scene.survey();

    assertThat(scene.health.isHealthy(whole(0))).isFalse();
  }

  @Test
  void aClockThatIsSetBackMakesNoQuietTime_andNoHarm() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 74);
    scene.survey();
    scene.clock.updateAndGet(now -> now.minus(HOUR));
    scene.survey();
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.pass(QUIET);

    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void noDeviceIsHealthyWhileThereIsNoDriver_andAllThatWereWellAreAtOnceWhenItIsBack() {
    HealthScenario scene = new HealthScenario(folder, 2);
    scene.xid(0, 74);
    scene.health.driverGone();
    assertThat(scene.health.isHealthy(whole(1))).isFalse();
    scene.pass(STEP);

    assertThat(scene.health.isHealthy(whole(1))).isTrue();
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
  }

  @Test
  void aGpuThatIsPulledOutKeepsWhatItHad() {
    HealthScenario scene = new HealthScenario(folder, 2);
    scene.xid(0, 79);
    scene.cards.getFirst().present = false;
    scene.pass(HOUR);
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.cards.getFirst().present = true;
    scene.pass(HOUR);

    assertThat(scene.health.condition(whole(0)))
        .isInstanceOfSatisfying(
            Unhealthy.class, it -> assertThat(it.reason()).isEqualTo(UnhealthyReason.XID));
  }

  @Test
  void aRestartMakesNothingHealthy() {
    HealthScenario scene = divided();
    scene.xid(0, 79);
    scene.xid(1, 95, 8);
    var before = scene.health.issues();

    scene.restart();

    assertThat(scene.health.issues().keySet()).isEqualTo(before.keySet());
    assertThat(scene.health.isHealthy(part(0, 7))).isFalse();
    assertThat(scene.health.isHealthy(part(1, 8))).isFalse();
    assertThat(scene.health.isHealthy(part(1, 7))).isTrue();
    scene.pass(HOUR);
    assertThat(scene.health.isHealthy(part(0, 7))).isFalse();
  }

  @Test
  void aResetBetweenTwoRunsIsSeen_fromWhatWasSavedLast() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 79);
    scene.pass(HOUR);
    scene.health.save();
    scene.reset(0);
    scene.restart();
    scene.pass(QUIET.plus(STEP));

    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void aBootOfTheNodeIsAResetOfAllGpus() throws IOException {
    Files.writeString(folder.resolve("boot_id"), "one");
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 79);
    Files.writeString(folder.resolve("boot_id"), "two");
    scene.restart();
    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    scene.pass(QUIET);

    assertThat(scene.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void whatNoLongerCountsIsForgotten() {
    HealthScenario scene = new HealthScenario(folder, 1);
    scene.xid(0, 79);
    scene.doubleBitError(0);
    var off = new HealthPolicy(HealthChecks.of("all", null), QUIET, false);

    HealthScenario again = new HealthScenario(folder, 1, off);

    assertThat(again.health.isHealthy(whole(0))).isTrue();
  }

  @Test
  void withAllChecksOffOnlyAGpuThatCannotBeReadIsUnhealthy() {
    HealthScenario scene =
        new HealthScenario(folder, 2, new HealthPolicy(HealthChecks.of("all", "48"), QUIET, false));
    scene.xid(0, 79);
    scene.doubleBitError(0);
    scene.cards.getFirst().action = RecoveryAction.GPU_RESET;
    scene.survey();
    assertThat(scene.health.isHealthy(whole(0))).isTrue();
    scene.xid(0, 48);
    scene.cards.getLast().readable = false;
    scene.survey();

    assertThat(scene.health.isHealthy(whole(0))).isFalse();
    assertThat(scene.health.isHealthy(whole(1))).isFalse();
  }

  @Test
  void reportsEachChangeOnce() {
    HealthScenario scene = new HealthScenario(folder, 8);
    int before = scene.changes.get();
    scene.xid(3, 79);
    scene.xid(3, 79);
    scene.xid(3, 48);
    scene.doubleBitError(3);
    scene.pass(HOUR);
    assertThat(scene.changes.get() - before).isEqualTo(1);
    scene.reset(3);
    scene.pass(HOUR);

    assertThat(scene.changes.get() - before).isEqualTo(2);
  }

  @Test
  void refusesAQuietTimeThatIsNone() {
    assertThatThrownBy(() -> new HealthPolicy(HealthChecks.ALL, Duration.ZERO, false))
        .hasMessage("the quiet time must be at least 1s, was PT0S");
    assertThat(POLICY.longestStep()).isEqualTo(Duration.ofSeconds(30));
  }

  private HealthScenario divided() {
    HealthScenario scene = new HealthScenario(folder, 2);
    for (int gpu = 0; gpu < 2; gpu++) {
      scene.cards.get(gpu).instances.put(7, "MIG-" + gpu + "-7");
      scene.cards.get(gpu).instances.put(8, "MIG-" + gpu + "-8");
    }
    scene.survey();
    return scene;
  }
}
