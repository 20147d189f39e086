package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.TimestampKind;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodActivityAggregatorTest {
  private static final double NOW = 1_795_240_800;
  private static final Instant AT = Instant.ofEpochSecond((long) NOW);

  private final PodActivityAggregator aggregator = new PodActivityAggregator("no pods");

  /** One sample of pod {@code u}. */
  record DeviceSample(TimestampKind kind, String gpu, double value) {}

  @Test
  void makesEvidenceOfTheMarksOfAGpu_toTheMillisecond() {
    add(TimestampKind.OBSERVED_SINCE, NOW - 100.5);
    add(TimestampKind.OBSERVED_UNTIL, NOW - 1.123);
    add(TimestampKind.SAMPLED_AT, NOW - 0.25);
    add(TimestampKind.LAST_ACTIVE, NOW - 50);
    utilization(12.5);

    assertThat(aggregator.observation(AT))
        .isEqualTo(
            new Seen(
                AT,
                Map.of(
                    "u",
                    new PodActivity(
                        "u",
                        List.of(
                            new DeviceActivity(
                                new GpuUuid("GPU-1"),
                                Optional.of(AT.minusSeconds(50)),
                                AT.minusMillis(100_500),
                                AT.minusMillis(1_123),
                                AT.minusMillis(250),
                                OptionalDouble.of(12.5))))),
                List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "60, true",
    "60.001, false",
    "1e300, false",
    "-1795240800, false",
    "-1793445559, false",
    "-300000000, true"
  })
  void believesATime_ofTheLastTenYears_upToAMinuteInTheFuture(double ahead, boolean believed) {
    idle();
    add(TimestampKind.LAST_ACTIVE, NOW + ahead);

    assertThat(aggregator.observation(AT).pod("u").isPresent()).isEqualTo(believed);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -0.1})
  void leavesOutAGpu_whoseUtilizationCannotBeTrue(double percent) {
    idle();
    utilization(50);
    utilization(percent);
    utilization(50);

    assertThat(aggregator.observation(AT))
        .isEqualTo(
            new Seen(
                AT,
                Map.of(),
                List.of("pod u, GPU GPU-1: its utilization is no percentage; GPU left out")));
  }

  @Test
  void leavesOutAGpu_withoutALastActivity() {
    add(TimestampKind.OBSERVED_SINCE, NOW - 100);
    add(TimestampKind.OBSERVED_UNTIL, NOW - 1);
    add(TimestampKind.SAMPLED_AT, NOW - 1);

    assertThat(aggregator.observation(AT))
        .isEqualTo(
            new Seen(
                AT,
                Map.of(),
                List.of(
                    "pod u, GPU GPU-1: no last_active, and nothing says that it never worked; GPU"
                        + " left out")));
  }

  /** As if the scrapes after the oldest of its samples had been lost whole. */
  @Test
  void knowsNothingOfTheTimeAfterTheOldestSampleOfAGpu() {
    idle();
    aggregator.lag(device("GPU-1"), 40);
    aggregator.lag(device("GPU-1"), 20);

    assertThat(aggregator.observation(AT).pod("u").orElseThrow().devices())
        .containsExactly(
            new DeviceActivity(
                new GpuUuid("GPU-1"),
                Optional.empty(),
                AT.minusSeconds(100),
                AT.minusSeconds(41),
                AT.minusSeconds(40),
                OptionalDouble.empty()));
  }

  /** The observation began again after the oldest sample. */
  @Test
  void leavesOutAGpu_whoseOldestSampleIsOfAnEarlierObservation() {
    idle();
    aggregator.lag(device("GPU-1"), 120);

    assertThat(aggregator.observation(AT).pods()).isEmpty();
  }

  @Test
  void keepsTheHighestUtilization() {
    idle();
    utilization(3);
    utilization(90);
    utilization(0);

    assertThat(aggregator.observation(AT).pod("u").orElseThrow().devices())
        .extracting(DeviceActivity::recentUtilization)
        .containsExactly(OptionalDouble.of(90));
  }

  @Test
  void leavesOutAGpu_whoseDuplicatesWereObservedOneAfterTheOther() {
    add(TimestampKind.SAMPLED_AT, NOW);
    add(TimestampKind.OBSERVED_SINCE, NOW - 100);
    add(TimestampKind.OBSERVED_UNTIL, NOW - 50);
    add(TimestampKind.OBSERVED_SINCE, NOW - 40);
    add(TimestampKind.OBSERVED_UNTIL, NOW - 1);

    Seen seen = aggregator.observation(AT);

    assertThat(seen.pods()).isEmpty();
    assertThat(seen.oddities())
        .containsExactly(
            "pod u, GPU GPU-1: observed_until 2026-11-21T05:59:10Z is before observed_since"
                + " 2026-11-21T05:59:20Z; GPU left out");
  }

  @Test
  void keepsEveryOddityOnOneReadableLine() {
    aggregator.skip("a\nb\u001b[31m" + "c".repeat(1_000));

    assertThat(aggregator.observation(AT).oddities().getFirst())
        .startsWith("a b [31mccc")
        .hasSize(400);
  }

  @Property
  void saysTheSame_whateverOrderTheSamplesComeIn(
      @ForAll("samples") List<DeviceSample> samples, @ForAll Random random) {
    var shuffled = new ArrayList<>(samples);
    Collections.shuffle(shuffled, random);

    assertThat(seen(shuffled)).isEqualTo(seen(samples));
  }

  @Property
  void showsNoGpuMoreIdleThanAnyOfItsSamples(@ForAll("samples") List<DeviceSample> samples) {
    for (PodActivity pod : seen(samples).pods().values()) {
      for (DeviceActivity device : pod.devices()) {
        samples.stream()
            .filter(sample -> sample.gpu().equals(device.device().toString()))
            .forEach(sample -> assertNotMoreIdle(device, sample));
      }
    }
  }

  private static void assertNotMoreIdle(DeviceActivity device, DeviceSample sample) {
    assertThat(sample.value()).isBetween(1.0, NOW + 60);
    Instant reported = Instant.ofEpochMilli(Math.round(sample.value() * 1_000));
    Instant idleSince =
        device.lastActive().filter(device.observedSince()::isBefore).orElse(device.observedSince());
    switch (sample.kind()) {
      case LAST_ACTIVE, OBSERVED_SINCE -> assertThat(idleSince).isAfterOrEqualTo(reported);
      case OBSERVED_UNTIL -> assertThat(device.observedUntil()).isBeforeOrEqualTo(reported);
      case SAMPLED_AT -> assertThat(device.sampledAt()).isBeforeOrEqualTo(reported);
      case LAST_SIGNAL -> {} // Dates a signal of the board, not activity.
    }
  }

  @Provide
  Arbitrary<List<DeviceSample>> samples() {
    Arbitrary<Double> values =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(
                30, Arbitraries.integers().between(-100, 61).map(seconds -> NOW + seconds)),
            net.jqwik.api.Tuple.of(
                1, Arbitraries.of(Double.NaN, Double.POSITIVE_INFINITY, -1.0, 0.0, 1e300)));
    return Combinators.combine(
            Arbitraries.of(TimestampKind.class), Arbitraries.of("GPU-1", "GPU-2", "GPU-3"), values)
        .as(DeviceSample::new)
        .list()
        .ofMaxSize(30);
  }

  private static Seen seen(List<DeviceSample> samples) {
    var aggregator = new PodActivityAggregator("no pods");
    samples.forEach(
        sample -> aggregator.timestamp(sample.kind(), device(sample.gpu()), sample.value(), AT));
    return aggregator.observation(AT);
  }

  private void idle() {
    add(TimestampKind.SAMPLED_AT, NOW);
    add(TimestampKind.OBSERVED_SINCE, NOW - 100);
    add(TimestampKind.OBSERVED_UNTIL, NOW - 1);
    aggregator.neverActive(device("GPU-1"));
  }

  private void add(TimestampKind kind, double value) {
    aggregator.timestamp(kind, device("GPU-1"), value, AT);
  }

  private void utilization(double percent) {
    aggregator.utilization(Entity.whole(new GpuUuid("GPU-1")), percent);
  }

  private static PodDevice device(String gpu) {
    return new PodDevice(new PodKey.Uid("u"), Entity.whole(new GpuUuid(gpu)));
  }
}
