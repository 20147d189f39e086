package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.Evidence.Active;
import io.gpureclaimer.reclaimer.evidence.Evidence.EvidenceSign;
import io.gpureclaimer.reclaimer.evidence.Evidence.Idle;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvidenceRuleTest {
  private static final Instant AT = Instant.parse("2026-03-02T12:00:00Z");
  private static final EvidenceRule RULE =
      new EvidenceRule(
          new EvidenceLimits(
              Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(30)));

  @Test
  void isUnknown_whenTheSourceDidNotAnswer() {
    Evidence evidence =
        RULE.weigh(
            new Observation.Blind("Prometheus: connection refused"), "a", 1, FetchScope.ALL_PODS);

    assertThat(evidence)
        .isEqualTo(new Unknown(UnknownCause.BLIND, "Prometheus: connection refused"));
  }

  @Test
  void isUnknown_whenNoAgentReportsOnThePod() {
    assertThat(
            RULE.weigh(new Observation.Seen(AT, Map.of(), List.of()), "a", 1, FetchScope.ALL_PODS))
        .isEqualTo(new Unknown(UnknownCause.NOT_SEEN, "no agent has reported on it"));
  }

  /** No warning or action follows from it, so the page may show what was known. */
  @Test
  void isIdleAsLongAsItWasSeen_whenItsRecordWasLeftOut() {
    assertThat(weighLeftOut(20)).isEqualTo(new Idle(AT.minusSeconds(3600), Duration.ofMinutes(40)));
  }

  @Test
  void isUnknown_whenItsRecordWasLeftOutForTooLong() {
    assertThat(weighLeftOut(31))
        .isInstanceOfSatisfying(
            Unknown.class, unknown -> assertThat(unknown.cause()).isEqualTo(UnknownCause.STALE));
  }

  private static Evidence weighLeftOut(int minutes) {
    Instant at = AT.minus(Duration.ofMinutes(minutes));
    PodActivity pod =
        new PodActivity(
                "a",
                List.of(
                    new DeviceActivity(
                        new GpuUuid("GPU-0"),
                        Optional.of(AT.minusSeconds(3600)),
                        AT.minusSeconds(7200),
                        at,
                        at,
                        OptionalDouble.empty())))
            .leftOut(LeftOut.RECORD, List.of());
    return RULE.weigh(
        new Observation.Seen(AT, Map.of("a", pod), List.of()), "a", 1, FetchScope.ALL_PODS);
  }

  @Test
  void isUnknown_whenFewerGpusAreObservedThanRequested() {
    assertThat(weigh(4, device(0, 3600), device(1, 3600)))
        .isEqualTo(new Unknown(UnknownCause.GPU_COUNT, "2 of 4 GPUs observed"));
  }

  @Test
  void isUnknown_whenMoreGpusAreObservedThanRequested() {
    assertThat(weigh(1, device(0, 3600), device(1, 3600)))
        .isEqualTo(new Unknown(UnknownCause.GPU_COUNT, "2 of 1 GPUs observed"));
  }

  @Test
  void countsAGpuOnce_whenTwoContainersHoldIt() {
    assertThat(weigh(2, device(0, 3600), device(0, 60)))
        .isEqualTo(new Unknown(UnknownCause.GPU_COUNT, "1 of 2 GPUs observed"));
  }

  @Test
  void isUnknown_whenTheObservationHasNoDevices() {
    assertThat(weigh(1)).isEqualTo(new Unknown(UnknownCause.GPU_COUNT, "0 of 1 GPUs observed"));
  }

  /** Two replicas may be of one GPU or of two; the agent knows of how many. */
  @Test
  void weighsAPodWithSeveralReplicas_byTheDevicesThatItsAgentCounts() {
    var idle = new Idle(AT.minusSeconds(3600), Duration.ofHours(1));

    assertThat(weighReplicas(2, OptionalInt.of(1), device(0, 3600))).isEqualTo(idle);
    assertThat(weighReplicas(2, OptionalInt.of(2), device(0, 3600), device(1, 7200)))
        .isEqualTo(idle);
    assertThat(weighReplicas(2, OptionalInt.of(2), device(0, 3600)))
        .isEqualTo(new Unknown(UnknownCause.GPU_COUNT, "1 of 2 GPUs observed"));
    assertThat(weighReplicas(2, OptionalInt.of(1), device(0, 3600), device(1, 3600)))
        .isEqualTo(new Unknown(UnknownCause.GPU_COUNT, "2 of 1 GPUs observed"));
    assertThat(weighReplicas(1, OptionalInt.of(2), device(0, 3600), device(1, 3600)))
        .isEqualTo(
            new Unknown(UnknownCause.GPU_COUNT, "its agent says it holds 2 GPUs with 1 replicas"));
    assertThat(weighReplicas(2, OptionalInt.empty(), device(0, 3600)))
        .isInstanceOfSatisfying(
            Unknown.class,
            unknown -> assertThat(unknown.reason()).contains("gpu_pod_device_count"));
  }

  private static Evidence weighReplicas(
      int replicas, OptionalInt counted, DeviceActivity... devices) {
    var pod = new PodActivity("a", List.of(devices), counted, List.of());
    return RULE.weigh(
        new Observation.Seen(AT, Map.of("a", pod), List.of()),
        "a",
        replicas,
        true,
        FetchScope.ALL_PODS);
  }

  @Test
  void isUnknown_whenASecondLookIsNoFresherThanAFirst() {
    assertThat(weighAgain(1, shifted(device(0, 3600), -31)))
        .isEqualTo(
            new Unknown(
                UnknownCause.STALE, "GPU-0: the newest sample is 31s old, at most 30s is allowed"));
  }

  @Test
  void isUnknown_whenOneOfTheGpusIsStale_evenIfAnotherWorks() {
    assertThat(weigh(2, device(0, 0), shifted(device(1, 3600), -121)))
        .isEqualTo(
            new Unknown(
                UnknownCause.STALE,
                "GPU-1: the newest sample is 121s old, at most 120s is allowed"));
  }

  @Test
  void isIdle_whenTheNewestSampleIsJustRecentEnough() {
    assertThat(weigh(1, shifted(device(0, 3600), -120)))
        .isEqualTo(new Idle(AT.minusSeconds(3720), Duration.ofHours(1)));
  }

  @ParameterizedTest(name = "node clock {0} s ahead")
  @CsvSource({"31", "-31", "7200"})
  void isUnknown_whenTheNodesClockAndTheSourcesDiffer(long ahead) {
    DeviceActivity device = device(0, 3600);

    assertThat(weigh(1, sampledAt(shifted(device, ahead), AT)))
        .isEqualTo(
            new Unknown(
                UnknownCause.CLOCK_SKEW,
                "GPU-0: observed until "
                    + AT.plusSeconds(ahead)
                    + " by the node's clock, sampled at 2026-03-02T12:00:00Z: "
                    + Math.abs(ahead)
                    + "s apart, at most 30s is allowed; the clocks differ or the agent stopped"
                    + " observing"));
  }

  @Test
  void measuresByTheNodesClockAlone_whenItIsAheadWithinTheLimit() {
    assertThat(weigh(1, sampledAt(shifted(device(0, 3600), 30), AT)))
        .isEqualTo(new Idle(AT.minusSeconds(3570), Duration.ofHours(1)));
  }

  @Test
  void isUnknown_whenObservedUntilBeforeSince() {
    var device =
        new DeviceActivity(
            new GpuUuid("GPU-0"),
            Optional.empty(),
            AT.plusSeconds(1),
            AT,
            AT,
            OptionalDouble.empty());

    assertThat(weigh(1, device))
        .isEqualTo(
            new Unknown(
                UnknownCause.IMPOSSIBLE,
                "GPU-0: its record contradicts itself: observed until 2026-03-02T12:00:00Z, before"
                    + " it began at 2026-03-02T12:00:01Z"));
  }

  @Test
  void isUnknown_whenActiveAfterTheLastObservation() {
    assertThat(weigh(1, device(0, -2)))
        .isEqualTo(
            new Unknown(
                UnknownCause.IMPOSSIBLE,
                "GPU-0: its record contradicts itself: last active at 2026-03-02T12:00:02Z, after"
                    + " the last observation at 2026-03-02T12:00:00Z"));
  }

  @Test
  void isActive_whenTheLastActivityIsWithinTheRoundingOfTheLastObservation() {
    assertThat(weigh(1, device(0, -1)))
        .isEqualTo(new Active(AT.plusSeconds(1), EvidenceSign.RECORD));
  }

  @Test
  void isUnknown_whenSampledAfterTheAnswer() {
    assertThat(weigh(1, sampledAt(device(0, 3600), AT.plusSeconds(2))))
        .isEqualTo(
            new Unknown(
                UnknownCause.IMPOSSIBLE,
                "GPU-0: its record contradicts itself: sampled at 2026-03-02T12:00:02Z, after the"
                    + " answer of 2026-03-02T12:00:00Z"));
  }

  @Test
  void isUnknown_whenTheUtilizationIsNotANumber() {
    assertThat(weigh(1, used(device(0, 3600), Double.NaN)))
        .isEqualTo(
            new Unknown(
                UnknownCause.IMPOSSIBLE,
                "GPU-0: its record contradicts itself: a recent utilization of NaN %"));
  }

  @Test
  void isActive_whenOneOfEightGpusWorks() {
    assertThat(
            weigh(
                8,
                device(0, 7200),
                device(1, 7200),
                device(2, 7200),
                device(3, 3),
                device(4, 7200),
                device(5, 7200),
                device(6, 7200),
                device(7, 7200)))
        .isEqualTo(new Active(AT.minusSeconds(3), EvidenceSign.RECORD));
  }

  @ParameterizedTest(name = "last active {0} s ago counts as active: {1}")
  @CsvSource({"0, true", "15, true", "16, false"})
  void activeMeansWithinFifteenSeconds(long secondsAgo, boolean active) {
    assertThat(weigh(1, device(0, secondsAgo)) instanceof Active).isEqualTo(active);
  }

  @Test
  void isIdleSinceTheLastOfItsGpus_andForAsLongAsTheBusiestOfThem() {
    assertThat(weigh(3, device(0, 7200), device(1, 600), device(2, 3600)))
        .isEqualTo(new Idle(AT.minusSeconds(600), Duration.ofMinutes(10)));
  }

  @Test
  void isIdleSinceTheObservationBegan_whenNeverActive() {
    var device =
        new DeviceActivity(
            new GpuUuid("GPU-0"),
            Optional.empty(),
            AT.minusSeconds(90),
            AT,
            AT,
            OptionalDouble.empty());

    assertThat(weigh(1, device)).isEqualTo(new Idle(AT.minusSeconds(90), Duration.ofSeconds(90)));
  }

  @Test
  void isIdleSinceTheObservationBegan_whenActiveBeforeThat() {
    var device =
        new DeviceActivity(
            new GpuUuid("GPU-0"),
            Optional.of(AT.minusSeconds(7200)),
            AT.minusSeconds(90),
            AT,
            AT,
            OptionalDouble.empty());

    assertThat(weigh(1, device)).isEqualTo(new Idle(AT.minusSeconds(90), Duration.ofSeconds(90)));
  }

  @Test
  void isActive_whenTheRawUtilizationSaysSo_andTheRecordDoesNot() {
    assertThat(weigh(1, used(device(0, 3600), 0.5)))
        .isEqualTo(new Active(AT, EvidenceSign.UTILIZATION));
  }

  @Test
  void secondLookIsUnknown_whenTheRawUtilizationOfOneGpuIsMissing() {
    assertThat(weighAgain(2, used(device(0, 3600), 0), device(1, 3600)))
        .isEqualTo(new Unknown(UnknownCause.ONE_SIGNAL, "the raw utilization of GPU-1 is missing"));
  }

  @Test
  void secondLookIsIdle_whenBothSignalsSayIt() {
    assertThat(weighAgain(1, used(device(0, 3600), 0)))
        .isEqualTo(new Idle(AT.minusSeconds(3600), Duration.ofHours(1)));
  }

  @Test
  void refusesToWeighAPodWithoutGpus() {
    assertThatThrownBy(() -> weigh(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a pod is weighed by its GPUs, was 0");
  }

  @Test
  void isUnknown_whenItsAgentCountsOtherDevicesThanItRequests() {
    assertThat(weighHolding(2, device(0, 3_600)))
        .isEqualTo(
            new Unknown(
                UnknownCause.GPU_COUNT, "1 of 1 GPUs observed, and its agent says it holds 2"));
  }

  @Test
  void isIdle_whenItsAgentCountsTheDevicesThatItRequests() {
    assertThat(weighHolding(1, device(0, 3_600))).isInstanceOf(Idle.class);
  }

  @Test
  void countsInstancesOfOneGpuAsDevices() {
    assertThat(weigh(2, instance(1), instance(2))).isInstanceOf(Idle.class);
    assertThat(weigh(1, instance(1), instance(2))).isInstanceOf(Unknown.class);
    assertThat(weigh(2, instance(1), instance(1))).isInstanceOf(Unknown.class);
  }

  private static Evidence weighHolding(int count, DeviceActivity device) {
    var pod = new PodActivity("a", List.of(device), OptionalInt.of(count), List.of());
    return RULE.weigh(
        new Observation.Seen(AT, Map.of("a", pod), List.of()), "a", 1, FetchScope.ALL_PODS);
  }

  private static DeviceActivity instance(int id) {
    DeviceActivity whole = device(0, 3_600);
    return new DeviceActivity(
        Entity.instance(whole.device().gpu(), id),
        whole.lastActive(),
        whole.observedSince(),
        whole.observedUntil(),
        whole.sampledAt(),
        whole.recentUtilization());
  }

  private static Evidence weigh(int gpus, DeviceActivity... devices) {
    return RULE.weigh(seen(devices), "a", gpus, FetchScope.ALL_PODS);
  }

  private static Evidence weighAgain(int gpus, DeviceActivity... devices) {
    return RULE.weigh(seen(devices), "a", gpus, FetchScope.ONE_POD);
  }

  private static Observation seen(DeviceActivity... devices) {
    return new Observation.Seen(AT, Map.of("a", new PodActivity("a", List.of(devices))), List.of());
  }

  private static DeviceActivity device(int index, long idleSeconds) {
    return new DeviceActivity(
        new GpuUuid("GPU-" + index),
        Optional.of(AT.minusSeconds(idleSeconds)),
        AT.minusSeconds(86_400),
        AT,
        AT,
        OptionalDouble.empty());
  }

  private static DeviceActivity shifted(DeviceActivity device, long seconds) {
    return new DeviceActivity(
        device.device(),
        device.lastActive().map(last -> last.plusSeconds(seconds)),
        device.observedSince().plusSeconds(seconds),
        device.observedUntil().plusSeconds(seconds),
        device.sampledAt().plusSeconds(seconds),
        device.recentUtilization());
  }

  private static DeviceActivity sampledAt(DeviceActivity device, Instant at) {
    return new DeviceActivity(
        device.device(),
        device.lastActive(),
        device.observedSince(),
        device.observedUntil(),
        at,
        device.recentUtilization());
  }

  private static DeviceActivity used(DeviceActivity device, double percent) {
    return new DeviceActivity(
        device.device(),
        device.lastActive(),
        device.observedSince(),
        device.observedUntil(),
        device.sampledAt(),
        OptionalDouble.of(percent));
  }
}
