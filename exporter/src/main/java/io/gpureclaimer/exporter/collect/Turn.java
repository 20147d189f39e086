package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.nvml.NvmlException;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One GPU's turn in one pass: each collector asks, and one that breaks does not stop the others.
 * Confined to the driver thread that takes the turn.
 */
final class Turn {
  private static final Logger log = LoggerFactory.getLogger(Turn.class);

  private final Device device;
  private final Questionnaire questionnaire;
  private final LongSupplier nanoTime;
  private final InstantSource clock;

  private final Readings readings;
  private final Map<String, CollectorReport> reports = new LinkedHashMap<>();

  Turn(Device device, Questionnaire questionnaire, LongSupplier nanoTime, InstantSource clock) {
    this.device = device;
    this.questionnaire = questionnaire;
    this.readings = new Readings(questionnaire.wanted());
    this.nanoTime = nanoTime;
    this.clock = clock;
  }

  /**
   * A turn that came to its end, on a clock that nobody sets.
   *
   * @param taken what it brought
   * @param began when the first question was put, in nanoseconds
   * @param ended when the last answer had come
   */
  record Finished(Taken taken, long began, long ended) {}

  Finished take() {
    Instant at = clock.instant();
    long began = nanoTime.getAsLong();
    for (Collector collector : questionnaire.collectors()) {
      reports.put(collector.name(), run(collector));
      if (readings.gpuIsLost()) {
        break;
      }
    }
    var taken = new Taken(sample(at), readings.failures(), reports);
    return new Finished(taken, began, nanoTime.getAsLong());
  }

  private GpuSample sample(Instant at) {
    var gpu = device.gpu();
    boolean silent = readings.taken().isEmpty() && !readings.failures().isEmpty();
    return silent || readings.gpuIsLost()
        ? Silence.of(gpu.index(), gpu, readings, "all questions failed")
        : new GpuSample.Answered(
            gpu, at, readings.taken(), readings.untold(), device.texts(), List.of());
  }

  private CollectorReport run(Collector collector) {
    long began = nanoTime.getAsLong();
    int failedBefore = readings.failures().size();
    int broken = 0;
    try {
      collector.collect(device, readings);
    } catch (NvmlException e) {
      throw e;
    } catch (RuntimeException e) {
      broken = 1;
      readings.breakOff(collector.tells());
      log.error("collector {} broke off at GPU {}", collector.name(), device.gpu().index(), e);
    }
    var took = Duration.ofNanos(nanoTime.getAsLong() - began);
    return new CollectorReport(took, readings.failures().size() - failedBefore + broken);
  }
}
