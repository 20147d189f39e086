package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.ListedProcesses;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.util.Set;

/** Processes on a GPU, with their memory and utilization. */
public final class ProcessCollector implements Collector {
  private final ProcessUtilizationReader busy;

  /**
   * @param monotonic monotonic clock
   */
  public ProcessCollector(MonotonicClock monotonic) {
    this.busy = new ProcessUtilizationReader(monotonic);
  }

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of();
  }

  @Override
  public boolean alwaysRuns() {
    return true;
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.take(
        device.nvml().processes().running(device.handle()),
        Set.of(),
        running -> into.processes(new ListedProcesses(running, busy.lately(device, into))));
  }
}
