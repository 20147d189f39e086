package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.ListedProcesses;
import io.gpureclaimer.exporter.collect.Readings;
import java.util.Set;
import java.util.function.LongSupplier;

/** Which processes are on a GPU, what memory they hold, and how busy each keeps it. */
public final class ProcessCollector implements Collector {
  private final BusyProcesses busy;

  /**
   * @param nanoTime a clock that nobody sets, in nanoseconds
   */
  public ProcessCollector(LongSupplier nanoTime) {
    this.busy = new BusyProcesses(nanoTime);
  }

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public Set<DcgmField> tells() {
    return Set.of();
  }

  @Override
  public boolean tellsMoreThanFields() {
    return true;
  }

  @Override
  public void collect(Device device, Readings into) {
    into.take(
        device.nvml().processes().running(device.handle()),
        Set.of(),
        running -> into.processes(new ListedProcesses(running, busy.lately(device, into))));
  }
}
