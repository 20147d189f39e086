package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.InstanceDevice;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.NvmlReturn;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
  private final Instances instances;
  private final MonotonicClock monotonic;
  private final InstantSource clock;

  private final Readings readings;
  private final List<NvmlReturn> failuresOfParts = new ArrayList<>();
  private final Map<String, CollectorReport> reports = new LinkedHashMap<>();

  Turn(
      Device device,
      Questionnaire questionnaire,
      Instances instances,
      MonotonicClock monotonic,
      InstantSource clock) {
    this.device = device;
    this.instances = instances;
    this.questionnaire = questionnaire;
    this.readings = new Readings(questionnaire.wanted());
    this.monotonic = monotonic;
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
    long began = monotonic.nanos();
    for (Collector collector : questionnaire.collectors()) {
      run(collector, null, readings);
      if (readings.gpuIsLost()) {
        break;
      }
    }
    var parts = readings.gpuIsLost() ? List.<InstanceSample>of() : parts();
    var failures = new ArrayList<>(readings.failures());
    failures.addAll(failuresOfParts);
    var taken = new Taken(sample(at, parts), failures, reports);
    return new Finished(taken, began, monotonic.nanos());
  }

  private GpuSample sample(Instant at, List<InstanceSample> parts) {
    var gpu = device.gpu();
    return readings.isSilent() || readings.gpuIsLost()
        ? Silence.of(gpu.index(), gpu, readings, "all questions failed")
        : new GpuSample.Answered(
            gpu,
            at,
            readings.taken(),
            readings.untold(),
            device.texts(),
            parts,
            readings.load(),
            processes(parts));
  }

  private Map<Entity, DeviceProcesses> processes(List<InstanceSample> parts) {
    var entities = parts.stream().map(part -> part.instance().entity()).toList();
    return readings
        .processes()
        .map(listed -> instances.areNone() ? listed.onTheWholeGpu() : listed)
        .map(listed -> RunningProcesses.of(device.gpu().uuid(), entities, listed))
        .orElse(Map.of());
  }

  private List<InstanceSample> parts() {
    return instances.of(device, readings).stream().map(this::part).toList();
  }

  private InstanceSample part(InstanceDevice part) {
    var own = new Readings(questionnaire.wanted());
    for (Collector collector : questionnaire.collectors()) {
      run(collector, part, own);
    }
    if (!own.failures().isEmpty()) {
      instances.doubt();
      failuresOfParts.addAll(own.failures());
    }
    return new InstanceSample(part.instance(), own.taken(), own.untold());
  }

  private void run(Collector collector, @Nullable InstanceDevice part, Readings into) {
    long began = monotonic.nanos();
    int failedBefore = into.failures().size();
    int broken = 0;
    try {
      if (part == null) {
        collector.collect(device, into);
      } else {
        collector.collectInstance(device, part, into);
      }
    } catch (NvmlException e) {
      throw e;
    } catch (RuntimeException e) {
      broken = 1;
      into.breakOff(collector.tells());
      log.error("collector {} broke off at GPU {}", collector.name(), device.gpu().index(), e);
    }
    var took = Duration.ofNanos(monotonic.nanos() - began);
    var report = new CollectorReport(took, into.failures().size() - failedBefore + broken);
    reports.merge(collector.name(), report, CollectorReport::plus);
  }
}
