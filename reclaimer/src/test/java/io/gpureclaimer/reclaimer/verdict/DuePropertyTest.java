package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.DEFAULTS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.LIMITS;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.cluster;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/**
 * Whatever is seen and written, due means what it says; checked by other means than the judge's.
 */
class DuePropertyTest {
  private static final Judge JUDGE = new Judge(DEFAULTS, LIMITS);
  private static final Duration IDLE_AFTER = Duration.ofHours(1);
  private static final Duration WARN_BEFORE = Duration.ofMinutes(15);

  @Property(tries = 3000)
  void everyGpuOfADueWorkloadIsObservedIdle_andItsWarningHolds(
      @ForAll("pods") PodView pod, @ForAll("devices") List<DeviceActivity> devices) {
    Verdict verdict = judge(pod, devices);

    Statistics.label("due")
        .collect(verdict instanceof Due)
        .coverage(cover -> cover.check(true).percentage(share -> share > 1));
    if (verdict instanceof Due) {
      assertThat(devices.stream().map(DeviceActivity::device).distinct()).hasSize(pod.gpus());
      assertThat(devices).allMatch(DuePropertyTest::wasIdleAndWatchedForAnHour);
      Instant idleSince =
          devices.stream().map(DuePropertyTest::idleStart).max(Instant::compareTo).orElseThrow();
      assertThat(Instant.parse(pod.annotations().get("gpu-reclaimer.io/idle-since")))
          .isEqualTo(idleSince);
      assertThat(Instant.parse(pod.annotations().get("gpu-reclaimer.io/warned-at")))
          .isBeforeOrEqualTo(NOW.minus(WARN_BEFORE));
      assertThat(pod.annotations()).containsEntry("gpu-reclaimer.io/warned-mode", "always");
      assertThat(pod.owner()).isEmpty();
      assertThat(pod.terminating()).isFalse();
    }
  }

  private static Verdict judge(PodView pod, List<DeviceActivity> devices) {
    return JUDGE
        .judge(
            cluster(namespace("ml", "mode", "always"), pod),
            seen(new PodActivity(pod.ref().uid(), devices)),
            NOW)
        .getFirst()
        .verdict();
  }

  private static boolean wasIdleAndWatchedForAnHour(DeviceActivity device) {
    Instant limit = device.observedUntil().minus(IDLE_AFTER);
    boolean fresh = !device.sampledAt().isBefore(NOW.minusSeconds(120));
    boolean watched = !device.observedSince().isAfter(limit);
    boolean idle = device.lastActive().map(last -> !last.isAfter(limit)).orElse(true);
    return fresh && watched && idle && device.recentUtilization().orElse(0) == 0;
  }

  private static Instant idleStart(DeviceActivity device) {
    return device
        .lastActive()
        .filter(last -> last.isAfter(device.observedSince()))
        .orElse(device.observedSince());
  }

  @Provide
  static Arbitrary<PodView> pods() {
    Arbitrary<Map<String, String>> annotations =
        Combinators.combine(
                mostly(ago(7200), List.of("", ago(7199))),
                mostly(ago(1800), List.of("", ago(899), ago(-60), "x")),
                mostly("always", List.of("", "on-demand", "notify", "x")))
            .as(DuePropertyTest::annotations);
    return Combinators.combine(
            mostly(2, List.of(1, 3)),
            annotations,
            mostly(false, List.of(true)),
            mostly(false, List.of(true)))
        .as(DuePropertyTest::draw);
  }

  @Provide
  static Arbitrary<List<DeviceActivity>> devices() {
    Arbitrary<DeviceActivity> device =
        Combinators.combine(
                Arbitraries.of("0", "1"),
                mostly(7200L, List.of(90_000L, 3L, 3599L)),
                mostly(86_400L, List.of(7200L, 3600L, 60L)),
                mostly(0L, List.of(29L, 31L, 121L)),
                mostly(0L, List.of(121L)),
                mostly(0, List.of(1)))
            .as(DuePropertyTest::device);
    return Arbitraries.oneOf(
        device.list().ofMaxSize(4), device.list().ofSize(2).uniqueElements(DeviceActivity::device));
  }

  private static DeviceActivity device(
      String name, long idle, long watched, long nodeClockBehind, long age, int utilization) {
    Instant until = NOW.minusSeconds(nodeClockBehind);
    return new DeviceActivity(
        new GpuUuid("GPU-" + name),
        Optional.of(NOW.minusSeconds(idle)).filter(_ -> idle < 90_000),
        NOW.minusSeconds(watched),
        until,
        NOW.minusSeconds(age),
        OptionalDouble.of(utilization));
  }

  private static PodView draw(
      int gpus, Map<String, String> annotations, boolean owned, boolean terminating) {
    PodDraft draft = pod("a").gpus(gpus).with(annotations);
    if (owned) {
      draft.owner("ReplicaSet", "web");
    }
    if (terminating) {
      draft.terminating();
    }
    return draft.draw();
  }

  private static Map<String, String> annotations(String idleSince, String warnedAt, String mode) {
    Map<String, String> all =
        Map.of(
            "gpu-reclaimer.io/idle-since", idleSince,
            "gpu-reclaimer.io/warned-at", warnedAt,
            "gpu-reclaimer.io/warned-mode", mode);
    return all.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static String ago(long seconds) {
    return NOW.minusSeconds(seconds).toString();
  }

  private static <T> Arbitrary<T> mostly(T usual, List<T> others) {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.just(usual)), Tuple.of(1, Arbitraries.of(others)));
  }
}
