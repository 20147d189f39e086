package io.gpureclaimer.reclaimer.rightsize;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.ModeOverride;
import io.gpureclaimer.reclaimer.backtest.ReconstructedCluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.Holding;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.Peak;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.PeaksResult;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.rightsize.RightSizeReport.RightSizeRow;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceTime;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.ShortTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What each look adds to the usage of a workload. */
class UsageReplayTest {
  private static final Duration STEP = Duration.ofMinutes(2);
  private static final Instant START = JudgeScenario.NOW;
  private static final int LOOKS = 30;
  private static final TimeRange RANGE =
      new TimeRange(START, START.plus(STEP.multipliedBy(LOOKS)), STEP);
  private static final PeaksResult.Known NO_PEAKS =
      new PeaksResult.Known(Map.of(), Duration.ofHours(1));

  @Test
  void countsTheDevicesOfAPodThatWorked_alsoAtDifferentTimes() {
    UsageReplay replay = replay(JudgeScenario.cluster(namespace("ml"), pod("a").gpus(4).draw()));
    for (int look = 1; look <= LOOKS; look++) {
      replay.play(look(look, Map.of("a", devices(4, look, look % 2 == 0 ? Set.of(0) : Set.of(1)))));
    }

    RightSizeRow row = only(replay.finish(NO_PEAKS));

    assertThat(row.suggestions()).containsExactly(new Suggestion.FewerDevices(2));
    assertThat(row.usage().devices()).isEqualTo(4);
    assertThat(row.usage().usedPerPod()).isEqualTo(2);
    assertThat(row.usage().usedAtOnce()).isEqualTo(1);
    assertThat(row.usage().time())
        .isEqualTo(new DeviceTime(Duration.ofHours(4), Duration.ofHours(1), Duration.ZERO));
  }

  /** The last activity may be older than the newest sample, and still within the step. */
  @Test
  void seesWorkBetweenTwoLooks() {
    UsageReplay replay = replay(JudgeScenario.cluster(namespace("ml"), pod("a").gpus(1).draw()));
    for (int look = 1; look <= LOOKS; look++) {
      Instant at = RANGE.at(look);
      var device =
          new DeviceActivity(
              new GpuUuid("GPU-0"),
              Optional.of(at.minusSeconds(119)),
              START.minusSeconds(3_600),
              at,
              at,
              OptionalDouble.empty());
      replay.play(look(look, Map.of("a", List.of(device))));
    }

    RightSizeReport report = replay.finish(NO_PEAKS);

    assertThat(report.rows()).isEmpty();
    assertThat(report.time())
        .isEqualTo(new DeviceTime(Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO));
  }

  @Test
  void aTimeInWhichAPodWasNotSeen_isUnknown() {
    UsageReplay replay = replay(JudgeScenario.cluster(namespace("ml"), pod("a").gpus(2).draw()));
    for (int look = 1; look <= LOOKS; look++) {
      replay.play(
          look > 10 && look <= 20
              ? look(look, Map.of())
              : look(look, Map.of("a", devices(2, look, Set.of()))));
    }

    RightSizeRow row = only(replay.finish(NO_PEAKS));

    assertThat(row.suggestions()).containsExactly(new Suggestion.Undecided(1.0 / 3));
    assertThat(row.usage().time())
        .isEqualTo(new DeviceTime(Duration.ofHours(2), Duration.ZERO, Duration.ofMinutes(40)));
    assertThat(row.usage().time().unused()).isEqualTo(Duration.ofMinutes(80));
  }

  @Test
  void memoryIsUnknown_whereItsSamplesDoNotCoverTheTimeThatTheDeviceWasHeld() {
    assertThat(memory(Duration.ofMinutes(59))).isEmpty();
    assertThat(memory(Duration.ofHours(1))).hasValue(5_000);
  }

  private static OptionalDouble memory(Duration sampled) {
    UsageReplay replay = replay(JudgeScenario.cluster(namespace("ml"), pod("a").gpus(1).draw()));
    for (int look = 1; look <= LOOKS; look++) {
      replay.play(look(look, Map.of("a", devices(1, look, Set.of()))));
    }
    var peak =
        new Peak(
            OptionalDouble.of(5_000),
            OptionalDouble.of(40_000),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.of("NVIDIA A100"),
            sampled);
    var holding = new Holding(new PodName("ml", "a"), Entity.whole(new GpuUuid("GPU-0")));
    return only(replay.finish(new PeaksResult.Known(Map.of(holding, peak), Duration.ofSeconds(30))))
        .usage()
        .peaks()
        .memoryMebibytes();
  }

  private static UsageReplay replay(ClusterView today) {
    return new UsageReplay(
        RANGE,
        new ReconstructedCluster(today, new ModeOverride(Mode.REPORT, Mode.REPORT)),
        ShortTimes.JUDGE,
        new NamespaceScope(Set.of()));
  }

  private static RightSizeRow only(RightSizeReport report) {
    assertThat(report.rows()).hasSize(1);
    return report.rows().getFirst();
  }

  private static HistoricalObservation look(int number, Map<String, List<DeviceActivity>> pods) {
    Map<String, PodActivity> seen = new HashMap<>();
    Map<String, PodName> names = new HashMap<>();
    pods.forEach(
        (name, devices) -> {
          String uid = pod(name).draw().ref().uid();
          seen.put(uid, new PodActivity(uid, devices, OptionalInt.of(devices.size()), List.of()));
          names.put(uid, new PodName("ml", name));
        });
    return new HistoricalObservation(new Seen(RANGE.at(number), seen, List.of()), names);
  }

  /** Devices of a pod, of which these work at the time of a look. */
  private static List<DeviceActivity> devices(int count, int look, Set<Integer> working) {
    Instant at = RANGE.at(look);
    return IntStream.range(0, count)
        .mapToObj(
            index ->
                new DeviceActivity(
                    new GpuUuid("GPU-" + index),
                    working.contains(index) ? Optional.of(at) : Optional.empty(),
                    START.minusSeconds(3_600),
                    at,
                    at,
                    OptionalDouble.empty()))
        .toList();
  }
}
