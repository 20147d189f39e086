package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.LastKnown;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the sample of one GPU in a poll: each collector reads it, and one that breaks does not stop
 * the others.
 */
final class SampleReader implements GpuReader<SampleReader.Sampled> {
  private static final Logger log = LoggerFactory.getLogger(SampleReader.class);

  private final CollectionPlan plan;
  private final MonotonicClock monotonic;

  /** By index of the GPU; read once for each that is identified. */
  private final Map<Integer, GpuTexts> texts = new ConcurrentHashMap<>();

  SampleReader(CollectionPlan plan, MonotonicClock monotonic) {
    this.plan = plan;
    this.monotonic = monotonic;
  }

  private record GpuTexts(PolledGpu gpu, Map<DcgmField, String> texts) {}

  /**
   * Result of reading one GPU.
   *
   * @param sample for the snapshot; of no use if the GPU did not respond
   * @param failures calls that failed
   * @param reports by collector
   */
  record Sampled(
      GpuSample.Answered sample, List<FailedCall> failures, Map<String, CollectorReport> reports) {}

  @Override
  public Read<Sampled> read(PolledGpu gpu, PolledGpu.Layout layout, Instant at) {
    return new SingleRead(gpu, layout).take(at);
  }

  /** What is known of a GPU that does not respond, without a call of the driver. */
  LastKnown lastKnown(Gpu gpu, GpuFault fault) {
    var readings = new Readings(plan.wanted());
    for (Collector collector : plan.collectors()) {
      collector.collectUnresponsive(gpu.uuid(), fault, readings);
    }
    GpuTexts read = texts.get(gpu.index());
    return new LastKnown(
        readings.taken(), read != null && read.gpu().gpu().equals(gpu) ? read.texts() : Map.of());
  }

  private Map<DcgmField, String> textsOf(PolledGpu gpu) {
    GpuTexts known = texts.get(gpu.handle().index());
    if (known == null || !known.gpu().equals(gpu)) {
      known = new GpuTexts(gpu, TextFields.read(gpu, plan.wanted()));
      texts.put(gpu.handle().index(), known);
    }
    return known.texts();
  }

  /** Confined to the driver thread that polls the GPU. */
  private final class SingleRead {
    private final PolledGpu gpu;
    private final PolledGpu.Layout layout;
    private final Readings readings = new Readings(plan.wanted());
    private final List<FailedCall> failuresOfInstances = new ArrayList<>();
    private final Map<String, CollectorReport> reports = new LinkedHashMap<>();

    SingleRead(PolledGpu gpu, PolledGpu.Layout layout) {
      this.gpu = gpu;
      this.layout = layout;
    }

    Read<Sampled> take(Instant at) {
      var words = textsOf(gpu);
      for (Collector collector : plan.collectors()) {
        run(collector, null, readings);
        if (readings.gpuIsLost()) {
          break;
        }
      }
      List<InstanceSample> instances =
          readings.gpuIsLost() ? List.of() : layout.instances().stream().map(this::sample).toList();
      var failures = new ArrayList<>(readings.failures());
      failures.addAll(failuresOfInstances);
      var sample =
          new GpuSample.Answered(
              gpu.gpu(),
              at,
              readings.taken(),
              readings.failedFields(),
              words,
              instances,
              readings.load(),
              processes(instances));
      return new Read<>(
          new Sampled(sample, failures, reports),
          state(),
          reason(),
          !failuresOfInstances.isEmpty());
    }

    private ResponseState state() {
      if (readings.gpuIsLost()) {
        return ResponseState.LOST;
      }
      return readings.isSilent() ? ResponseState.SILENT : ResponseState.RESPONDING;
    }

    private String reason() {
      return switch (state()) {
        case RESPONDING -> "";
        case LOST -> NvmlReturn.GPU_IS_LOST.text();
        case SILENT ->
            "all queries failed: "
                + readings.failures().stream()
                    .map(it -> it.reason().text())
                    .distinct()
                    .collect(Collectors.joining(", "));
      };
    }

    private Map<Entity, DeviceProcesses> processes(List<InstanceSample> instances) {
      var entities = instances.stream().map(part -> part.instance().entity()).toList();
      return readings
          .processes()
          .map(listed -> layout.isWhole() ? listed.onTheWholeGpu() : listed)
          .map(listed -> RunningProcesses.of(gpu.gpu().uuid(), entities, listed))
          .orElse(Map.of());
    }

    private InstanceSample sample(PolledGpu.Instance instance) {
      var own = new Readings(plan.wanted());
      for (Collector collector : plan.collectors()) {
        run(collector, instance, own);
      }
      failuresOfInstances.addAll(own.failures());
      return new InstanceSample(instance.instance(), own.taken(), own.failedFields());
    }

    private void run(Collector collector, PolledGpu.@Nullable Instance instance, Readings into) {
      long began = monotonic.nanos();
      int failedBefore = into.failures().size();
      int broken = 0;
      try {
        if (instance == null) {
          collector.collect(gpu, into);
        } else {
          collector.collectInstance(gpu, instance, into);
        }
      } catch (NvmlException e) {
        throw e;
      } catch (RuntimeException e) {
        broken = 1;
        into.breakOff(collector.fields());
        log.error("collector {} failed at GPU {}", collector.name(), gpu.gpu().index(), e);
      }
      var took = Duration.ofNanos(monotonic.nanos() - began);
      var report = new CollectorReport(took, into.failures().size() - failedBefore + broken);
      reports.merge(collector.name(), report, CollectorReport::plus);
    }
  }
}
