package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Observation.ByName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PodJoinTest {
  private static final Instant AT = Instant.parse("2026-11-22T06:00:00Z");
  private static final PodName NAME = new PodName("ml", "train-0");

  @Test
  void recognizesAPodByItsUid_andReportsItsName() {
    Seen seen = new Seen(AT, Map.of("u", new PodActivity("u", List.of(idle(60)))), List.of());

    assertThat(seen.joined(List.of(holder("u", Optional.empty()))).pods())
        .isEqualTo(Map.of("u", pod("u", Optional.of(NAME), idle(60))));
  }

  @Test
  void recognizesAPodByItsName_fromItsStartOn() {
    Seen joined = named(idle(60)).joined(List.of(holder("u", Optional.of(before(10)))));

    assertThat(joined.pods()).isEqualTo(Map.of("u", pod("u", Optional.of(NAME), idle(10))));
  }

  @Test
  void forgetsAnActivityOfBeforeThePodsStart() {
    DeviceActivity active =
        new DeviceActivity(
            new GpuUuid("GPU-1"),
            Optional.of(before(30)),
            before(60),
            AT,
            AT,
            OptionalDouble.empty());

    Seen joined = named(active).joined(List.of(holder("u", Optional.of(before(10)))));

    assertThat(joined.pod("u").orElseThrow().devices()).containsExactly(idle(10));
  }

  @Test
  void recognizesNoExporter_withoutAStartTime() {
    Seen joined = named(idle(60)).joined(List.of(holder("u", Optional.empty())));

    assertThat(joined.pod("u")).isEmpty();
  }

  @Test
  void makesImpossible_whatWasLastSeenBeforeThePodsStart() {
    Seen joined = named(idle(60)).joined(List.of(holder("u", Optional.of(AT.plusSeconds(5)))));

    Evidence evidence =
        new EvidenceRule(
                new EvidenceLimits(
                    Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofSeconds(30)))
            .weigh(joined, "u", 1, FetchScope.ALL_PODS);

    assertThat(evidence).isInstanceOf(Evidence.Unknown.class);
  }

  @Test
  void keepsWhomItDoesNotKnow_asHeMayShareAGpu() {
    assertThat(named(idle(60)).joined(List.of()).pods().keySet()).containsExactly("ml/train-0");
  }

  @Test
  void attributesSignalsByName_andCpuWorkByGpus() {
    var requests = new Signal(SignalKind.REQUESTS, 3, 0, "requests");
    var seen =
        new Seen(
            AT,
            Map.of("u", new PodActivity("u", List.of(idle(60), idle(60)))),
            List.of(),
            new ByName(
                Map.of(),
                Map.of(NAME, List.of(requests, new Signal(SignalKind.CPU, 0.9, 0.5, "cpu")))),
            Optional.empty(),
            Optional.empty());

    Seen joined = seen.joined(List.of(holder("u", Optional.empty())));

    assertThat(joined.pod("u").orElseThrow().signals())
        .containsExactly(requests, new Signal(SignalKind.CPU, 0.9, 1.0, "cpu"));
  }

  @Test
  void changesNothing_whenItIsDoneAgain() {
    List<PodIdentity> holders = List.of(holder("u", Optional.of(before(10))));
    Seen joined = named(idle(60)).joined(holders);

    assertThat(joined.joined(holders)).isEqualTo(joined);
  }

  private static Seen named(DeviceActivity device) {
    return new Seen(
        AT,
        Map.of(),
        List.of(),
        new ByName(Map.of(NAME, new PodActivity(NAME.toString(), List.of(device))), Map.of()),
        Optional.empty(),
        Optional.empty());
  }

  private static PodActivity pod(String uid, Optional<PodName> name, DeviceActivity device) {
    return new PodActivity(
        uid,
        name,
        List.of(device),
        OptionalInt.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static PodIdentity holder(String uid, Optional<Instant> startedAt) {
    return new PodIdentity(uid, NAME, startedAt);
  }

  private static DeviceActivity idle(int minutes) {
    return new DeviceActivity(
        new GpuUuid("GPU-1"), Optional.empty(), before(minutes), AT, AT, OptionalDouble.empty());
  }

  private static Instant before(int minutes) {
    return AT.minus(Duration.ofMinutes(minutes));
  }
}
