package io.gpureclaimer.exporter.collect.fields;

import io.gpureclaimer.core.nvml.DeviceNumber;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Device;
import io.gpureclaimer.exporter.collect.Readings;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** All single numbers that have a function of their own: as many calls as are wanted. */
@Singleton
public final class NumberCollector implements Collector {
  private static final List<NumberRow> ROWS = NumberTable.rows();
  private static final Set<DcgmField> TOLD =
      ROWS.stream().map(NumberRow::told).collect(Collectors.toUnmodifiableSet());

  private final ForWanted<Prepared> prepared = new ForWanted<>(Prepared::of);

  /** What is asked as long as the same fields are wanted. */
  private record Prepared(List<NumberRow> rows, List<DeviceNumber> numbers) {

    static Prepared of(Set<DcgmField> wanted) {
      List<NumberRow> rows = ROWS.stream().filter(row -> wanted.contains(row.told())).toList();
      return new Prepared(rows, rows.stream().map(NumberRow::asked).toList());
    }
  }

  @Override
  public String name() {
    return "numbers";
  }

  @Override
  public Set<DcgmField> tells() {
    return TOLD;
  }

  @Override
  public void collect(Device device, Readings into) {
    Prepared now = prepared.of(into.wanted());
    List<NvmlResult<Long>> answers = device.nvml().numbers(device.handle(), now.numbers());
    for (int i = 0; i < answers.size(); i++) {
      NumberRow row = now.rows().get(i);
      into.addMeant(row.told(), answers.get(i), row.meaning());
    }
  }
}
