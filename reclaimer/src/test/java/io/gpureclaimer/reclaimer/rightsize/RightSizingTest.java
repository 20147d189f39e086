package io.gpureclaimer.reclaimer.rightsize;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceKind;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceTime;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.UsagePeaks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which smaller request is suggested for what was used. */
class RightSizingTest {
  private static final String H100 = "NVIDIA H100 80GB HBM3";
  private static final double H100_MEBIBYTES = 81_559;
  private static final Map<String, Double> MODELS =
      Map.of(H100, H100_MEBIBYTES, "NVIDIA L40S", 46_068.0, "Tesla T4", 15_360.0);
  private static final RightSizing RULE = new RightSizing(MODELS);
  private static final OptionalDouble UNKNOWN = OptionalDouble.empty();
  private static final UsagePeaks BUSY =
      peaks(70_000, OptionalDouble.of(0.9), OptionalDouble.of(0.9));

  @Test
  void suggestsNothing_whereTheRequestFits() {
    assertThat(RULE.suggest(usage(4, 4, 1, 1, 0, BUSY))).isEmpty();
  }

  @Test
  void suggestsAsManyDevicesAsWorked() {
    assertThat(RULE.suggest(usage(4, 2, 1, 1, 0, BUSY)))
        .containsExactly(new Suggestion.FewerDevices(2));
  }

  @Test
  void suggestsAsManyPodsAsWorkedAtOnce() {
    assertThat(RULE.suggest(usage(1, 1, 4, 2, 0, BUSY)))
        .containsExactly(new Suggestion.FewerPods(2));
  }

  @Test
  void suggestsToReleaseWhatNeverWorked() {
    assertThat(RULE.suggest(usage(2, 0, 1, 0, 0, peaks(10, UNKNOWN, UNKNOWN))))
        .containsExactly(new Suggestion.Release());
  }

  /** A GPU of which nothing is known may have worked. */
  @ParameterizedTest
  @CsvSource({"0, false", "36, false", "37, true", "3600, true"})
  void suggestsNothing_whereMoreThanOnePercentOfTheTimeIsUnknown(
      long unknownSeconds, boolean isUndecided) {
    assertThat(RULE.suggest(usage(2, 0, 1, 0, unknownSeconds, BUSY)))
        .containsExactly(
            isUndecided
                ? new Suggestion.Undecided(unknownSeconds / 3600.0)
                : new Suggestion.Release());
  }

  @ParameterizedTest
  @CsvSource({
    "5000, 0.05, 1g.10gb",
    "8495, 0.14, 1g.10gb",
    "8496, 0.14, 2g.20gb",
    "5000, 0.15, 2g.20gb",
    "30000, 0.1, 3g.40gb",
    "5000, 0.5, 4g.40gb"
  })
  void suggestsTheSmallestMigProfile_thatHasTheMemoryWithHeadroom_andTheMultiprocessors(
      double memory, double smActive, String profile) {
    assertThat(
            RULE.suggest(usage(1, 1, 1, 1, 0, peaks(memory, UNKNOWN, OptionalDouble.of(smActive)))))
        .containsExactly(new Suggestion.MigInstance(profile));
  }

  /** MIG instances cannot be used together as GPUs can. */
  @Test
  void suggestsNoMigProfile_forAPodThatNeedsTwoDevices() {
    assertThat(
            RULE.suggest(
                usage(
                    2, 2, 1, 1, 0, peaks(5_000, OptionalDouble.of(0.9), OptionalDouble.of(0.05)))))
        .isEmpty();
  }

  @Test
  void suggestsTheSmallestModelOfTheCluster_whoseMemoryIsEnough() {
    assertThat(RULE.suggest(usage(1, 1, 1, 1, 0, peaks(20_000, OptionalDouble.of(0.3), UNKNOWN))))
        .containsExactly(new Suggestion.SmallerModel("NVIDIA L40S"));
    assertThat(RULE.suggest(usage(1, 1, 1, 1, 0, peaks(5_000, OptionalDouble.of(0.3), UNKNOWN))))
        .containsExactly(new Suggestion.SmallerModel("Tesla T4"));
    assertThat(RULE.suggest(usage(1, 1, 1, 1, 0, peaks(5_000, OptionalDouble.of(0.6), UNKNOWN))))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"5000, 0.2, 4", "5000, 0.45, 2", "30000, 0.1, 2", "40000, 0.1, 0"})
  void suggestsToShareTheGpu_whereTheClusterHasNoSmallerOne(
      double memory, double utilization, int pods) {
    List<Suggestion> suggested =
        new RightSizing(Map.of(H100, H100_MEBIBYTES))
            .suggest(usage(1, 1, 1, 1, 0, peaks(memory, OptionalDouble.of(utilization), UNKNOWN)));

    assertThat(suggested)
        .isEqualTo(pods == 0 ? List.of() : List.of(new Suggestion.SharedGpu(pods)));
  }

  @Test
  void suggestsNoSmallerDevice_whereItsMemoryIsUnknown() {
    assertThat(
            RULE.suggest(
                usage(
                    1,
                    1,
                    1,
                    1,
                    0,
                    new UsagePeaks(
                        UNKNOWN,
                        OptionalDouble.of(H100_MEBIBYTES),
                        OptionalDouble.of(0.01),
                        OptionalDouble.of(0.01),
                        Optional.of(H100)))))
        .isEmpty();
  }

  /** Names as NVIDIA's device plugin computes them. */
  @ParameterizedTest
  @CsvSource({
    "NVIDIA A100-SXM4-40GB, 40960, 1g.5gb",
    "NVIDIA A100-SXM4-80GB, 81920, 1g.10gb",
    "NVIDIA H200, 143771, 1g.18gb",
    "NVIDIA B200, 183359, 1g.23gb",
    "NVIDIA A30, 24576, 1g.6gb",
    "NVIDIA A10, 23028, ''",
    "Tesla V100-SXM2-32GB, 32768, ''"
  })
  void namesProfilesByModelAndMemory(String model, double mebibytes, String profile) {
    assertThat(
            MigProfiles.smallest(model, mebibytes, 1, 0.01)
                .map(MigProfiles.MigProfile::name)
                .orElse(""))
        .isEqualTo(profile);
  }

  private static WorkloadUsage usage(
      int requested, int used, int pods, int podsAtOnce, long unknownSeconds, UsagePeaks peaks) {
    return new WorkloadUsage(
        "ml",
        "Deployment",
        "web",
        false,
        requested,
        used,
        requested * pods,
        used * podsAtOnce,
        pods,
        podsAtOnce,
        new DeviceTime(Duration.ofHours(1), Duration.ZERO, Duration.ofSeconds(unknownSeconds)),
        DeviceKind.GPU,
        peaks);
  }

  private static UsagePeaks peaks(
      double memory, OptionalDouble utilization, OptionalDouble smActive) {
    return new UsagePeaks(
        OptionalDouble.of(memory),
        OptionalDouble.of(H100_MEBIBYTES),
        smActive,
        utilization,
        Optional.of(H100));
  }
}
