package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
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

class GatheringTest {
  private static final double NOW = 1_795_240_800;
  private static final Instant AT = Instant.ofEpochSecond((long) NOW);

  private final Gathering gathering = new Gathering();

  /** One sample of pod {@code u}. */
  record Sample(Mark mark, String gpu, double value) {}

  @Test
  void makesEvidenceOfTheMarksOfAGpu_toTheMillisecond() {
    add(Mark.OBSERVED_SINCE, NOW - 100.5);
    add(Mark.OBSERVED_UNTIL, NOW - 1.123);
    add(Mark.SAMPLED_AT, NOW - 0.25);
    add(Mark.LAST_ACTIVE, NOW - 50);
    gathering.utilization("GPU-1", 12.5);

    assertThat(gathering.seen(AT))
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
    add(Mark.LAST_ACTIVE, NOW + ahead);

    assertThat(gathering.seen(AT).pod("u").isPresent()).isEqualTo(believed);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -0.1})
  void leavesOutAGpu_whoseUtilizationCannotBeTrue(double percent) {
    idle();
    gathering.utilization("GPU-1", 50);
    gathering.utilization("GPU-1", percent);
    gathering.utilization("GPU-1", 50);

    assertThat(gathering.seen(AT))
        .isEqualTo(
            new Seen(
                AT,
                Map.of(),
                List.of("pod u, GPU GPU-1: its utilization is no percentage; GPU left out")));
  }

  @Test
  void leavesOutAGpu_ofWhichNobodySaysWhetherItEverWorked() {
    add(Mark.OBSERVED_SINCE, NOW - 100);
    add(Mark.OBSERVED_UNTIL, NOW - 1);
    add(Mark.SAMPLED_AT, NOW - 1);

    assertThat(gathering.seen(AT))
        .isEqualTo(
            new Seen(
                AT,
                Map.of(),
                List.of(
                    "pod u, GPU GPU-1: no last_active, and nothing says that it never worked; GPU"
                        + " left out")));
  }

  @Test
  void leavesOutAGpu_whoseMarksAreOfDifferentScrapes() {
    idle();
    gathering.torn(Gathering.uid("u"), Label.whole("GPU-1"));

    assertThat(gathering.seen(AT))
        .isEqualTo(
            new Seen(
                AT,
                Map.of(),
                List.of("pod u, GPU GPU-1: its marks are of different scrapes; GPU left out")));
  }

  @Test
  void keepsTheHighestUtilization() {
    idle();
    gathering.utilization("GPU-1", 3);
    gathering.utilization("GPU-1", 90);
    gathering.utilization("GPU-1", 0);

    assertThat(gathering.seen(AT).pod("u").orElseThrow().devices())
        .extracting(DeviceActivity::recentUtilization)
        .containsExactly(OptionalDouble.of(90));
  }

  @Test
  void leavesOutAGpu_whoseDuplicatesWereObservedOneAfterTheOther() {
    add(Mark.SAMPLED_AT, NOW);
    add(Mark.OBSERVED_SINCE, NOW - 100);
    add(Mark.OBSERVED_UNTIL, NOW - 50);
    add(Mark.OBSERVED_SINCE, NOW - 40);
    add(Mark.OBSERVED_UNTIL, NOW - 1);

    Seen seen = gathering.seen(AT);

    assertThat(seen.pods()).isEmpty();
    assertThat(seen.oddities())
        .containsExactly(
            "pod u, GPU GPU-1: observed_until 2026-11-21T05:59:10Z is before observed_since"
                + " 2026-11-21T05:59:20Z; GPU left out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void leavesOutABlankPodUidOrUuid(String blank) {
    gathering.mark(Mark.LAST_ACTIVE, blank, "GPU-1", NOW, AT);
    gathering.mark(Mark.LAST_ACTIVE, "u", blank, NOW, AT);
    gathering.utilization(blank, 1);

    assertThat(gathering.seen(AT).oddities()).hasSize(4);
  }

  @Test
  void keepsEveryOddityOnOneReadableLine() {
    gathering.odd("a\nb\u001b[31m" + "c".repeat(1_000));

    assertThat(gathering.seen(AT).oddities().getFirst()).startsWith("a b [31mccc").hasSize(400);
  }

  @Property
  void saysTheSame_whateverOrderTheSamplesComeIn(
      @ForAll("samples") List<Sample> samples, @ForAll Random random) {
    var shuffled = new ArrayList<>(samples);
    Collections.shuffle(shuffled, random);

    assertThat(seen(shuffled)).isEqualTo(seen(samples));
  }

  @Property
  void showsNoGpuMoreIdleThanAnyOfItsSamples(@ForAll("samples") List<Sample> samples) {
    for (PodActivity pod : seen(samples).pods().values()) {
      for (DeviceActivity device : pod.devices()) {
        samples.stream()
            .filter(sample -> sample.gpu().equals(device.device().toString()))
            .forEach(sample -> assertNotMoreIdle(device, sample));
      }
    }
  }

  private static void assertNotMoreIdle(DeviceActivity device, Sample sample) {
    assertThat(sample.value()).isBetween(1.0, NOW + 60);
    Instant told = Instant.ofEpochMilli(Math.round(sample.value() * 1_000));
    Instant idleSince =
        device.lastActive().filter(device.observedSince()::isBefore).orElse(device.observedSince());
    switch (sample.mark()) {
      case LAST_ACTIVE, OBSERVED_SINCE -> assertThat(idleSince).isAfterOrEqualTo(told);
      case OBSERVED_UNTIL -> assertThat(device.observedUntil()).isBeforeOrEqualTo(told);
      case SAMPLED_AT -> assertThat(device.sampledAt()).isBeforeOrEqualTo(told);
    }
  }

  @Provide
  Arbitrary<List<Sample>> samples() {
    Arbitrary<Double> values =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(
                30, Arbitraries.integers().between(-100, 61).map(seconds -> NOW + seconds)),
            net.jqwik.api.Tuple.of(
                1, Arbitraries.of(Double.NaN, Double.POSITIVE_INFINITY, -1.0, 0.0, 1e300)));
    return Combinators.combine(
            Arbitraries.of(Mark.class), Arbitraries.of("GPU-1", "GPU-2", "GPU-3"), values)
        .as(Sample::new)
        .list()
        .ofMaxSize(30);
  }

  private static Seen seen(List<Sample> samples) {
    var gathering = new Gathering();
    samples.forEach(sample -> gathering.mark(sample.mark(), "u", sample.gpu(), sample.value(), AT));
    return gathering.seen(AT);
  }

  private void idle() {
    add(Mark.SAMPLED_AT, NOW);
    add(Mark.OBSERVED_SINCE, NOW - 100);
    add(Mark.OBSERVED_UNTIL, NOW - 1);
    gathering.neverActive(Gathering.uid("u"), Label.whole("GPU-1"));
  }

  private void add(Mark mark, double value) {
    gathering.mark(mark, "u", "GPU-1", value, AT);
  }
}
