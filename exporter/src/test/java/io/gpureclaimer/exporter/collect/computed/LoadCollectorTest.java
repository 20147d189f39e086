package io.gpureclaimer.exporter.collect.computed;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.exporter.activity.ActivityRules;
import io.gpureclaimer.exporter.activity.Ledger;
import io.gpureclaimer.exporter.collect.SampledDriver;
import io.gpureclaimer.exporter.collect.SampledNode;
import io.gpureclaimer.exporter.collect.fields.UtilizationCollector;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import io.gpureclaimer.exporter.sample.UtilizationSamples.Measured;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A GPU that is idle at each poll, and its samples of the time between. */
class LoadCollectorTest {
  private static final int NOT_SUPPORTED = 3;
  private static final int UNKNOWN_ERROR = 999;
  private static final long SECOND = 1_000_000;

  private final ManualTime time = new ManualTime();
  private final SampledDriver driver =
      new SampledDriver(
          new SimulatedDriver(Profile.named("t4x4").orElseThrow(), "a", () -> Script.IDLE, time));
  private final SampledNode pass =
      new SampledNode(
          driver.library(),
          1,
          List.of(new UtilizationCollector(), new LoadCollector(time)),
          SampledNode.PATIENT,
          time,
          time);

  @AfterEach
  void close() {
    pass.close();
  }

  @Test
  void whatIsOlderThanTheFirstLookDoesNotCount() {
    driver.sample(SECOND, 100);

    assertThat(load()).isEqualTo(new UtilizationSamples.Unknown());

    driver.sample(2 * SECOND, 10);
    assertThat(later()).isEqualTo(new Measured(10, 10));
  }

  @Test
  void reportsMeanAndPeakSinceThePassBefore_eachSampleOnce() {
    driver.sample(0, 0);
    load();
    driver.sample(SECOND, 10);
    driver.sample(SECOND, 10);
    driver.sample(SECOND + 1, 40);
    driver.sample(SECOND + 2, 10);

    assertThat(later()).isEqualTo(new Measured(20, 40));
    assertThat(later()).as("nothing new").isEqualTo(new UtilizationSamples.Unknown());
    driver.sample(SECOND + 3, 0);
    assertThat(later()).isEqualTo(new Measured(0, 0));
  }

  @Test
  void countsEverything_whenTheFirstLookFoundAnEmptyBuffer() {
    load();
    driver.sample(SECOND, 30);

    assertThat(later()).isEqualTo(new Measured(30, 30));
  }

  @Test
  void isUnknown_whereThereAreNoSamples_andFailed_whenTheDriverFails() {
    driver.answer(NOT_SUPPORTED);
    assertThat(load()).isEqualTo(new UtilizationSamples.Unknown());

    driver.answer(UNKNOWN_ERROR);
    assertThat(load()).isEqualTo(new UtilizationSamples.Failed("unknown error"));
  }

  @Test
  void whatHappenedWhileTheDriverFailedIsReportedWhenItAnswersAgain() {
    driver.sample(SECOND, 0);
    load();
    driver.answer(UNKNOWN_ERROR);
    driver.sample(2 * SECOND, 90);
    later();
    driver.answer(0);
    driver.sample(3 * SECOND, 10);

    assertThat(later()).isEqualTo(new Measured(50, 90));
  }

  @Test
  void looksAgain_whenTheClockBehindTheSamplesWasSetBack() {
    driver.sample(3600 * SECOND, 100);
    load();
    driver.forget();
    for (int second = 1; second <= 5; second++) {
      driver.sample(second * SECOND, 100);
      assertThat(later()).isEqualTo(new UtilizationSamples.Unknown());
    }

    driver.sample(6 * SECOND, 20);
    assertThat(later()).isEqualTo(new Measured(20, 20));
  }

  @Test
  void aClockThatLeapsForwardGivesNoSampleMoreWeight() {
    driver.sample(SECOND, 0);
    load();
    driver.sample(2 * SECOND, 0);
    driver.sample(7200 * SECOND, 100);

    assertThat(later()).isEqualTo(new Measured(50, 100));
  }

  @Test
  void theLedgerSeesABurstOfATenthOfASecondBetweenTwoPasses() {
    var ledger = new Ledger(ActivityRules.ALL, Duration.ofSeconds(5));
    var holder = new Holder("ml", "train-0", "main", "uid-1");
    driver.sample(0, 0);
    ledger.observe(snapshot(run(), holder));
    for (int tenth = 1; tenth <= 10; tenth++) {
      driver.sample(tenth * SECOND / 10, tenth == 4 ? 100 : 0);
    }
    time.advance(Duration.ofSeconds(1));
    var burst = ledger.observe(snapshot(run(), holder)).getFirst();
    driver.sample(2 * SECOND, 0);
    time.advance(Duration.ofSeconds(1));
    var after = ledger.observe(snapshot(run(), holder)).getFirst();

    assertThat(burst.lastActive()).contains(burst.until());
    assertThat(burst.busy()).isEqualTo(Duration.ofMillis(100));
    assertThat(after.lastActive()).contains(burst.until());
    assertThat(after.busy()).isEqualTo(Duration.ofMillis(100));
  }

  private UtilizationSamples later() {
    time.advance(Duration.ofSeconds(1));
    return load();
  }

  private UtilizationSamples load() {
    return run().load();
  }

  private Answered run() {
    return (Answered) pass.run(Set.of(DEV_GPU_UTIL)).gpus().getFirst();
  }

  private static Snapshot snapshot(Answered gpu, Holder holder) {
    return new Snapshot(
        gpu.at(),
        "node-a",
        new DriverState.Up("570"),
        List.of(gpu),
        Map.of(Entity.whole(gpu.device().uuid()), List.of(holder)),
        PassReport.NOTHING_ASKED);
  }
}
