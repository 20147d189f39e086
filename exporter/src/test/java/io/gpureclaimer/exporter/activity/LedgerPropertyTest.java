package io.gpureclaimer.exporter.activity;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens on a node, an observation says only what the passes saw. */
class LedgerPropertyTest {
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);
  private static final Gpu GPU = new Gpu(0, new GpuUuid("GPU-0"), "00000000:10:00.0", "H100");
  private static final List<Holder> HOLDERS =
      List.of(new Holder("ml", "a", "main", "1"), new Holder("ml", "b", "main", "2"));

  /** One pass as the test remembers it; {@code percent} is null when the GPU reported nothing. */
  private record RecordedPass(Instant at, @Nullable Holder holder, @Nullable Integer percent) {}

  static List<Long> seeds() {
    var seeds = new ArrayList<Long>();
    for (long seed = 0; seed < 200; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void isWhatTheUnbrokenTailOfPassesSaw(long seed) {
    var random = new Random(seed);
    var ledger = new Ledger(ActivityRules.ALL, LONGEST_GAP);
    var history = new ArrayList<RecordedPass>();
    var now = Instant.parse("2026-11-21T12:00:00Z");
    for (int i = 0; i < 300; i++) {
      now = now.plus(step(random));
      var pass =
          new RecordedPass(
              now,
              random.nextInt(20) == 0 ? null : HOLDERS.get(random.nextInt(25) == 0 ? 1 : 0),
              random.nextInt(4) == 0 ? null : random.nextInt(3) * 40);
      history.add(pass);

      assertThat(ledger.observe(snapshot(pass, random))).isEqualTo(expected(history));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void hasNeverWorkedForLongerThanItWasWatched_andNeverMissedABurst(long seed) {
    var random = new Random(seed);
    var ledger = new Ledger(ActivityRules.ALL, LONGEST_GAP);
    var now = Instant.parse("2026-11-21T12:00:00Z");
    for (int i = 0; i < 300; i++) {
      var step = step(random);
      now = now.plus(step);
      int peak = random.nextInt(3) * 50;
      var load = new UtilizationSamples.Measured(peak * random.nextDouble(), peak);
      var sample =
          new Answered(
              GPU,
              now,
              List.of(new Reading(DEV_GPU_UTIL, 0)),
              Set.of(),
              Map.of(),
              List.of(),
              load,
              Map.of());
      var pass = new RecordedPass(now, HOLDERS.getFirst(), 0);

      var seen = ledger.observe(snapshot(pass, sample)).getFirst();

      assertThat(seen.busy()).isLessThanOrEqualTo(Duration.between(seen.since(), seen.until()));
      if (peak > 0) {
        assertThat(seen.lastActive()).contains(now);
      } else if (!step.isZero()) {
        assertThat(seen.lastActive()).isNotEqualTo(Optional.of(now));
      }
    }
  }

  /** Mostly a second, sometimes a gap, now and then back. */
  private static Duration step(Random random) {
    return switch (random.nextInt(40)) {
      case 0 -> Duration.ofSeconds(-random.nextInt(30));
      case 1 -> Duration.ofSeconds(random.nextInt(60));
      case 2 -> LONGEST_GAP;
      case 3 -> LONGEST_GAP.plusMillis(1);
      default -> Duration.ofSeconds(1);
    };
  }

  /** The same from the definition: walk back from the last pass while nothing breaks it. */
  private static List<DeviceObservation> expected(List<RecordedPass> history) {
    RecordedPass last = history.getLast();
    if (last.holder() == null || last.percent() == null) {
      return List.of();
    }
    Instant since = last.at();
    @Nullable Instant active = last.percent() > 0 ? last.at() : null;
    var busy = Duration.ZERO;
    int later = last.percent();
    for (int i = history.size() - 2; i >= 0; i--) {
      RecordedPass earlier = history.get(i);
      if (!last.holder().equals(earlier.holder())
          || history.get(i + 1).at().isBefore(earlier.at())) {
        break;
      }
      if (earlier.percent() != null) {
        var gap = Duration.between(earlier.at(), since);
        if (gap.isNegative() || gap.compareTo(LONGEST_GAP) > 0) {
          break;
        }
        busy = busy.plusNanos(gap.toNanos() / 100 * later);
        later = earlier.percent();
        since = earlier.at();
        active = active == null && earlier.percent() > 0 ? earlier.at() : active;
      }
    }
    return List.of(new DeviceObservation(GPU, null, last.holder(), since, last.at(), active, busy));
  }

  private static Snapshot snapshot(RecordedPass pass, Random random) {
    Integer percent = pass.percent();
    GpuSample sample =
        percent != null
            ? new Answered(GPU, pass.at(), List.of(new Reading(DEV_GPU_UTIL, percent)))
            : random.nextBoolean() ? new Lost(0, GPU) : new Hung(0, GPU);
    return snapshot(pass, sample);
  }

  private static Snapshot snapshot(RecordedPass pass, GpuSample sample) {
    Holder holder = pass.holder();
    return new Snapshot(
        pass.at(),
        "node-a",
        new DriverState.Up("570"),
        List.of(sample),
        holder == null ? Map.of() : Map.of(Entity.whole(GPU.uuid()), List.of(holder)),
        PassReport.NOTHING_ASKED);
  }
}
