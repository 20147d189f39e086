package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.pass.SampleReader.Sampled;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.PassReport.CallError;
import io.gpureclaimer.exporter.sample.PassReport.CollectorReport;
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.poll.GpuPoll;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader;
import io.gpureclaimer.nvml.poll.GpuPoller;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Samples every GPU of the node in one poll. Confined to the thread of the sampling job. */
public final class SamplingPass {
  private final List<Collector> collectors;
  private final GpuPoller poller;
  private final MonotonicClock monotonic;

  private Set<DcgmField> asked = Set.of();
  private SampleReader reader;

  /**
   * @param collectors in any order
   * @param monotonic measures how long calls take
   */
  public SamplingPass(List<Collector> collectors, GpuPoller poller, MonotonicClock monotonic) {
    this.collectors = List.copyOf(collectors);
    this.poller = poller;
    this.monotonic = monotonic;
    this.reader = reader(asked);
  }

  /**
   * Result of a pass.
   *
   * @param inventory empty while the driver is down
   * @param gpus in the driver's order
   */
  public record PassResult(
      DriverState driver, NodeInventory inventory, List<GpuSample> gpus, PassReport report) {

    /** Nothing was sampled. */
    public static PassResult driverDown(String reason) {
      return new PassResult(
          new DriverState.Down(reason), NodeInventory.EMPTY, List.of(), PassReport.NOTHING_ASKED);
    }
  }

  /**
   * Samples every GPU.
   *
   * @param wanted the fields that are of use
   */
  public PassResult run(Set<DcgmField> wanted) {
    if (!wanted.equals(asked)) {
      asked = wanted;
      reader = reader(wanted);
    }
    return switch (poller.poll(reader)) {
      case GpuPoll.Polled<Sampled> poll -> sweep(poll);
      case GpuPoll.DriverDown<Sampled>(var reason, _) -> PassResult.driverDown(reason);
    };
  }

  private SampleReader reader(Set<DcgmField> wanted) {
    return new SampleReader(CollectionPlan.of(wanted, collectors), monotonic);
  }

  private PassResult sweep(GpuPoll.Polled<Sampled> poll) {
    var samples = new ArrayList<GpuSample>();
    var errors = new HashMap<CallError, Integer>();
    var reports = new HashMap<String, CollectorReport>();
    for (var gpu : poll.gpus()) {
      samples.add(withLastKnown(sample(gpu), gpu.fault()));
      count(gpu.index(), gpu.failures(), errors);
      var read = gpu.read();
      if (read != null) {
        count(gpu.index(), read.value().failures(), errors);
        read.value()
            .reports()
            .forEach((name, report) -> reports.merge(name, report, CollectorReport::plus));
      }
    }
    return new PassResult(
        new DriverState.Up(poll.inventory().driverVersion()),
        poll.inventory(),
        List.copyOf(samples),
        new PassReport(poll.took(), errors, reports));
  }

  private static void count(int gpu, List<FailedCall> failures, Map<CallError, Integer> errors) {
    for (FailedCall failure : failures) {
      errors.merge(new CallError(gpu, failure.function(), failure.code()), 1, Integer::sum);
    }
  }

  private GpuSample withLastKnown(GpuSample sample, @Nullable GpuFault fault) {
    return sample instanceof GpuSample.Unresponsive none && none.known() != null
        ? none.with(reader.lastKnown(none.known(), fault == null ? GpuFault.UNREADABLE : fault))
        : sample;
  }

  private static GpuSample sample(GpuPoll.GpuPollResult<Sampled> result) {
    var read = result.read();
    GpuFault fault = result.fault();
    boolean wasRead = read != null && read.state() == GpuReader.ResponseState.RESPONDING;
    return switch (fault) {
      case null -> sampleOr(result, wasRead, "it was not read");
      case INCOMPLETE -> sampleOr(result, wasRead, result.reason());
      case LOST -> new GpuSample.Lost(result.index(), result.gpu());
      case OVERDUE, HUNG -> new GpuSample.Hung(result.index(), result.gpu());
      case REFUSED, UNREADABLE -> sampleOr(result, false, result.reason());
    };
  }

  private static GpuSample sampleOr(
      GpuPoll.GpuPollResult<Sampled> result, boolean wasRead, String otherwise) {
    var read = result.read();
    return wasRead && read != null
        ? read.value().sample()
        : new GpuSample.Failed(result.index(), result.gpu(), otherwise);
  }
}
