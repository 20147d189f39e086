package io.gpureclaimer.exporter.attribution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimAllocation;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimName;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimUse;
import io.gpureclaimer.exporter.attribution.ResourceClaims.KnownClaims;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimCacheTest {
  private static final ClaimName GPUS = new ClaimName("ml", "gpus");
  private static final ClaimName OTHER = new ClaimName("ml", "other");
  private static final PublishedDevice GPU_0 = new PublishedDevice("node-a", "gpu-0");
  private static final PublishedDevice GPU_1 = new PublishedDevice("node-a", "gpu-1");
  private static final ClaimUse USE = new ClaimUse(Set.of(GPU_0), Set.of("uid-1"));
  private static final Map<ClaimName, ClaimUse> USED = Map.of(GPUS, USE);
  private static final ClaimAllocation HELD = new ClaimAllocation(Set.of(GPU_0), Set.of());
  private static final long NOW = Long.MAX_VALUE - 5;
  private static final ClaimCache EMPTY = ClaimCache.empty(new WatchState.Synced());

  @Test
  void asksForWhatIsNotKnown() {
    assertThat(EMPTY.due(USED, NOW)).isEqualTo(USED);
  }

  @Test
  void asksOnce() {
    var memory = EMPTY.with(GPUS, USE, HELD, NOW);

    assertThat(memory.known())
        .isEqualTo(new KnownClaims(new WatchState.Synced(), Map.of(GPUS, HELD)));
    assertThat(memory.due(USED, NOW + hours(1))).isEmpty();
  }

  @Test
  void queriesOnce_alsoForObservedClaims() {
    var memory = EMPTY.with(GPUS, USE, new ClaimAllocation(Set.of(), Set.of(GPU_0)), NOW);

    assertThat(memory.due(USED, NOW + hours(1))).isEmpty();
  }

  @Test
  void asksAgain_forAPodOfAnotherUid_andWhatIsKnownStands() {
    var memory = EMPTY.with(GPUS, USE, HELD, NOW);
    var replaced = Map.of(GPUS, new ClaimUse(Set.of(GPU_0), Set.of("uid-2")));

    assertThat(memory.due(replaced, NOW + hours(1))).isEqualTo(replaced);
    assertThat(memory.known().claims()).isEqualTo(Map.of(GPUS, HELD));
  }

  @Test
  void doesNotAskAgain_whenAPodLeavesTheClaim() {
    var memory = EMPTY.with(GPUS, USE, HELD, NOW);

    assertThat(memory.due(Map.of(GPUS, new ClaimUse(Set.of(GPU_0), Set.of())), NOW + hours(1)))
        .isEmpty();
  }

  @Test
  void forgetsWhatIsNotUsed() {
    var memory = EMPTY.with(GPUS, USE, HELD, NOW).of(Map.of(OTHER, USE));

    assertThat(memory).isEqualTo(EMPTY);
    assertThat(memory.due(USED, NOW)).isEqualTo(USED);
  }

  @ParameterizedTest(name = "after {0} answers: {1} s")
  @CsvSource({"1, 2", "2, 4", "3, 8", "6, 64", "7, 64", "100, 64"})
  void asksMoreAndMoreSeldom_whileTheAnswerLacksADevice(int answers, int seconds) {
    var memory = EMPTY;
    for (int i = 0; i < answers; i++) {
      memory = memory.with(GPUS, USE, new ClaimAllocation(Set.of(GPU_1), Set.of()), NOW);
    }

    long due = NOW + Duration.ofSeconds(seconds).toNanos();
    assertThat(memory.due(USED, due - 1)).isEmpty();
    assertThat(memory.due(USED, due)).isEqualTo(USED);
  }

  @ParameterizedTest(name = "after {0} failures: {1} s")
  @CsvSource({"1, 2", "2, 4", "6, 64", "100, 64"})
  void asksForNothing_forAWhileAfterAFailure(int failures, int seconds) {
    var memory = EMPTY;
    for (int i = 0; i < failures; i++) {
      memory = memory.failed("403", NOW);
    }

    long due = NOW + Duration.ofSeconds(seconds).toNanos();
    assertThat(memory.due(Map.of(OTHER, USE), due - 1)).isEmpty();
    assertThat(memory.due(Map.of(OTHER, USE), due)).isEqualTo(Map.of(OTHER, USE));
  }

  @Test
  void keepsWhatItKnows_whenThereIsNoAnswer_andIsWellAfterTheNext() {
    var memory = EMPTY.with(GPUS, USE, HELD, NOW).failed("403", NOW);

    assertThat(memory.known())
        .isEqualTo(new KnownClaims(new WatchState.NotSynced("403"), Map.of(GPUS, HELD)));
    assertThat(memory.with(OTHER, USE, HELD, NOW).known())
        .isEqualTo(new KnownClaims(new WatchState.Synced(), Map.of(GPUS, HELD, OTHER, HELD)));
  }

  @Test
  void isWell_onceThereIsNothingLeftToAskFor() {
    var memory = EMPTY.with(GPUS, USE, HELD, NOW).failed("403", NOW);
    var both = Map.of(GPUS, USE, OTHER, USE);

    assertThat(memory.of(both)).isSameAs(memory);
    assertThat(memory.of(USED)).isEqualTo(EMPTY.with(GPUS, USE, HELD, NOW));
    assertThat(memory.of(Map.of())).isEqualTo(EMPTY);
    assertThat(memory.of(Map.of(OTHER, USE)).known())
        .isEqualTo(new KnownClaims(new WatchState.NotSynced("403"), Map.of()));
  }

  private static long hours(int hours) {
    return Duration.ofHours(hours).toNanos();
  }
}
