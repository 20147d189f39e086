package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.nvml.GpuHandle;
import io.gpureclaimer.core.nvml.Nvml;
import io.gpureclaimer.core.nvml.NvmlException;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.nvml.NvmlResult.Failed;
import io.gpureclaimer.core.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.nvml.NvmlReturn;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One GPU's turn in one pass: it introduces itself if it has not yet, then each collector asks.
 * Confined to the driver thread that takes the turn.
 */
final class Turn {
  private static final Logger log = LoggerFactory.getLogger(Turn.class);

  private final int index;
  private @Nullable Gpu known;
  private final List<Collector> collectors;
  private final LongSupplier nanoTime;

  private final Readings readings = new Readings();
  private final Map<String, CollectorReport> reports = new LinkedHashMap<>();

  Turn(int index, @Nullable Gpu known, List<Collector> collectors, LongSupplier nanoTime) {
    this.index = index;
    this.known = known;
    this.collectors = collectors;
    this.nanoTime = nanoTime;
  }

  /**
   * What the turn brought.
   *
   * @param sample for the snapshot
   * @param device for the next turn; null when the GPU has to introduce itself again
   * @param failures codes of the answers that failed
   * @param reports by collector
   */
  record Taken(
      GpuSample sample,
      @Nullable Device device,
      List<NvmlReturn> failures,
      Map<String, CollectorReport> reports) {}

  /** Takes the turn of a GPU that has to introduce itself first. */
  Taken with(Nvml nvml) {
    try {
      return introduced(nvml)
          .map(this::with)
          .orElseGet(() -> taken(unanswered("it could not be identified"), null));
    } catch (IllegalArgumentException e) {
      return taken(new GpuSample.Failed(index, known, String.valueOf(e.getMessage())), null);
    }
  }

  /** Takes the turn of a GPU that is known. */
  Taken with(Device device) {
    known = device.gpu();
    for (Collector collector : collectors) {
      collect(collector, device);
      if (readings.gpuIsLost()) {
        return taken(new GpuSample.Lost(index, known), null);
      }
    }
    if (readings.taken().isEmpty() && !readings.failures().isEmpty()) {
      return taken(unanswered("all questions failed"), null);
    }
    return taken(new GpuSample.Answered(device.gpu(), readings.taken()), device);
  }

  private void collect(Collector collector, Device device) {
    long began = nanoTime.getAsLong();
    int failedBefore = readings.failures().size();
    int broken = 0;
    try {
      collector.collect(device, readings);
    } catch (NvmlException e) {
      throw e;
    } catch (RuntimeException e) {
      broken = 1;
      log.error("collector {} broke off at GPU {}", collector.name(), index, e);
    }
    int failed = readings.failures().size() - failedBefore + broken;
    var took = Duration.ofNanos(nanoTime.getAsLong() - began);
    reports.put(collector.name(), new CollectorReport(took, failed));
  }

  private Optional<Device> introduced(Nvml nvml) {
    return answered(nvml.handle(index))
        .flatMap(handle -> identity(nvml, handle).map(gpu -> new Device(nvml, handle, gpu)));
  }

  private Optional<Gpu> identity(Nvml nvml, GpuHandle handle) {
    return answered(nvml.uuid(handle))
        .flatMap(
            uuid ->
                answered(nvml.pciBusId(handle))
                    .flatMap(
                        bus ->
                            answered(nvml.name(handle))
                                .map(name -> new Gpu(index, uuid, bus, name))));
  }

  private <T> Optional<T> answered(NvmlResult<T> answer) {
    readings.take(answer, _ -> {});
    return switch (answer) {
      case Value<T>(var value) -> Optional.of(value);
      case Unsupported<T> _, Failed<T> _ -> Optional.empty();
    };
  }

  private GpuSample unanswered(String what) {
    if (readings.gpuIsLost()) {
      return new GpuSample.Lost(index, known);
    }
    var reasons = readings.failures().stream().distinct().map(NvmlReturn::text).toList();
    return new GpuSample.Failed(
        index, known, reasons.isEmpty() ? what : what + ": " + String.join(", ", reasons));
  }

  private Taken taken(GpuSample sample, @Nullable Device device) {
    return new Taken(sample, device, new ArrayList<>(readings.failures()), reports);
  }
}
