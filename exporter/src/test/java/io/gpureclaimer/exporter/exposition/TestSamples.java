package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.activity.DeviceObservation;
import io.gpureclaimer.exporter.activity.LastSignal;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.exposition.own.XidMetrics;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.PassReport.CallError;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Fixed values to render. */
public final class TestSamples {
  public static final Instant NOON = Instant.parse("2026-11-21T12:00:00.250Z");
  public static final Gpu FIRST =
      new Gpu(
          0,
          new GpuUuid("GPU-11111111-2222-3333-4444-555555555555"),
          "00000000:19:00.0",
          "NVIDIA H100 80GB HBM3");
  public static final Gpu SECOND =
      new Gpu(
          1,
          new GpuUuid("GPU-66666666-7777-8888-9999-aaaaaaaaaaaa"),
          "00000000:3B:00.0",
          "NVIDIA H100 80GB HBM3");
  public static final Holder TRAIN =
      new Holder("ml", "train-0", "main", "0f3c2b1a-0000-4000-8000-1");

  public static final Map<DcgmField, String> TEXTS = Map.of(DcgmField.DRIVER_VERSION, "570.86.15");

  private TestSamples() {}

  public static Snapshot of(List<GpuSample> gpus, Map<Entity, List<Holder>> holders) {
    var report =
        new PassReport(
            Duration.ofMillis(12),
            Map.of(new CallError(0, "nvmlDeviceGetPowerUsage", "timeout"), 2),
            Map.of("power", new CollectorReport(Duration.ofMillis(3), 2)));
    return new Snapshot(NOON, "node-a", new DriverState.Up("570.86.15"), gpus, holders, report);
  }

  /** The first has all there is, and a pod; the second has neither power sensor nor NVLink. */
  public static Snapshot twoGpus() {
    return of(List.of(full(), withoutPower()), Map.of(Entity.whole(FIRST.uuid()), List.of(TRAIN)));
  }

  public static List<DeviceObservation> ledger() {
    return List.of(
        new DeviceObservation(
            FIRST,
            null,
            TRAIN,
            NOON.minusSeconds(3600),
            NOON,
            NOON.minus(Duration.ofMillis(1_005)),
            Duration.ZERO,
            new LastSignal(
                NOON.minusSeconds(60),
                BoardSignal.PCIE,
                Set.of(BoardSignal.POWER, BoardSignal.MEMORY, BoardSignal.PCIE))));
  }

  private static Answered full() {
    double value = 40;
    var readings = new ArrayList<Reading>();
    for (var counter : ClassicCounters.set().counters()) {
      readings.add(new Reading(counter.field(), value));
      value += 1;
    }
    readings.removeIf(reading -> reading.field() == DcgmField.DEV_POWER_USAGE);
    readings.add(new Reading(DcgmField.DEV_POWER_USAGE, 412.3771));
    return new Answered(FIRST, NOON, readings, Set.of(), TEXTS, List.of());
  }

  private static Answered withoutPower() {
    return new Answered(
        SECOND,
        NOON,
        Arrays.asList(
            new Reading(DcgmField.DEV_GPU_UTIL, 0),
            new Reading(DcgmField.DEV_GPU_TEMP, 31),
            new Reading(DcgmField.DEV_TOTAL_ENERGY_CONSUMPTION, 9_007_199_254_740_991d),
            new Reading(DcgmField.DEV_FB_USED, 0)),
        Set.of(),
        TEXTS,
        List.of());
  }

  /** Of an agent that has heard of none. */
  public static XidMetrics noXids() {
    return new XidMetrics(new XidLog(Duration.ofMinutes(5)), () -> Instant.EPOCH);
  }
}
