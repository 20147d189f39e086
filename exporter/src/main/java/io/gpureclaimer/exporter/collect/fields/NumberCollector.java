package io.gpureclaimer.exporter.collect.fields;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.CollectorPlanCache;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.DeviceNumber;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All single numbers that have a function of their own: as many calls as are wanted; and which of
 * the GPUs it is.
 */
@Singleton
public final class NumberCollector implements Collector {
  private static final List<NumberRow> ROWS = NumberTable.rows();
  private static final DcgmField INDEX = DcgmFields.field("DEV_NVML_INDEX");
  private static final Set<DcgmField> FIELDS =
      Stream.concat(ROWS.stream().map(NumberRow::dcgmField), Stream.of(INDEX))
          .collect(Collectors.toUnmodifiableSet());

  private final CollectorPlanCache<NumberPlan> prepared = new CollectorPlanCache<>(NumberPlan::of);
  private final CollectorPlanCache<NumberPlan> preparedForParts =
      new CollectorPlanCache<>(NumberPlan::ofAPart);

  /** Query for the requested fields. */
  private record NumberPlan(List<NumberRow> rows, List<DeviceNumber> numbers) {

    static NumberPlan of(Set<DcgmField> wanted) {
      return of(wanted, ROWS);
    }

    static NumberPlan ofAPart(Set<DcgmField> wanted) {
      return of(wanted, NumberTable.rowsOfAPart());
    }

    private static NumberPlan of(Set<DcgmField> wanted, List<NumberRow> all) {
      List<NumberRow> rows = all.stream().filter(row -> wanted.contains(row.dcgmField())).toList();
      return new NumberPlan(rows, rows.stream().map(NumberRow::asked).toList());
    }
  }

  @Override
  public String name() {
    return "numbers";
  }

  @Override
  public Set<DcgmField> fields() {
    return FIELDS;
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.put(INDEX, (long) device.gpu().index());
    ask(device.nvml(), device.handle(), prepared.of(into.wanted()), into);
  }

  @Override
  public void collectInstance(PolledGpu device, PolledGpu.Instance part, Readings into) {
    ask(device.nvml(), part.handle(), preparedForParts.of(into.wanted()), into);
  }

  private static void ask(Nvml nvml, GpuHandle handle, NumberPlan now, Readings into) {
    List<NvmlResult<Long>> answers = nvml.numbers(handle, now.numbers());
    for (int i = 0; i < answers.size(); i++) {
      NumberRow row = now.rows().get(i);
      into.addConverted(row.dcgmField(), row.labels(), answers.get(i), row.conversion());
    }
  }
}
