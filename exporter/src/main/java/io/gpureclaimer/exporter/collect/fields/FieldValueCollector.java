package io.gpureclaimer.exporter.collect.fields;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.CollectorPlanCache;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.collect.fields.FieldRow.Plain;
import io.gpureclaimer.exporter.collect.fields.FieldRow.Rate;
import io.gpureclaimer.nvml.FieldQuery;
import io.gpureclaimer.nvml.FieldValue;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** Fields that the driver reports in bulk: one call per GPU and pass. */
@Singleton
public final class FieldValueCollector implements Collector {
  private static final List<FieldRow> ROWS = BulkFieldTable.rows();
  private static final Set<DcgmField> FIELDS =
      ROWS.stream().map(FieldRow::dcgmField).collect(Collectors.toUnmodifiableSet());

  private final TransferRates rates;
  private final CollectorPlanCache<Prepared> prepared = new CollectorPlanCache<>(Prepared::of);

  public FieldValueCollector(MonotonicClock monotonic) {
    this.rates = new TransferRates(monotonic);
  }

  /** A row, with the positions of its values in the response. */
  private record IndexedRow(FieldRow row, List<Integer> places) {}

  /** Query for the requested fields. */
  private record Prepared(Set<DcgmField> fields, List<IndexedRow> rows, FieldQuery query) {

    static Prepared of(Set<DcgmField> wanted) {
      List<FieldRow> rows = ROWS.stream().filter(row -> wanted.contains(row.dcgmField())).toList();
      List<FieldQuery.Field> asked =
          rows.stream().flatMap(row -> row.asked().stream()).distinct().toList();
      return new Prepared(
          rows.stream().map(FieldRow::dcgmField).collect(Collectors.toUnmodifiableSet()),
          rows.stream().map(row -> new IndexedRow(row, places(row, asked))).toList(),
          new FieldQuery(asked));
    }

    private static List<Integer> places(FieldRow row, List<FieldQuery.Field> asked) {
      return row.asked().stream().map(asked::indexOf).toList();
    }
  }

  @Override
  public String name() {
    return "field_values";
  }

  @Override
  public Set<DcgmField> fields() {
    return FIELDS;
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    Prepared now = prepared.of(into.wanted());
    into.take(
        device.nvml().fieldValues(device.handle(), now.query()),
        now.fields(),
        answers -> enter(now, answers, device.gpu().uuid(), into));
  }

  private void enter(
      Prepared now, List<NvmlResult<FieldValue>> answers, GpuUuid gpu, Readings into) {
    for (IndexedRow placed : now.rows()) {
      switch (placed.row()) {
        case Plain plain ->
            into.addConverted(
                plain.dcgmField(),
                plain.labels(),
                answers.get(placed.places().getFirst()),
                plain.conversion());
        case Rate rate ->
            sum(rate, placed.places(), answers, into)
                .ifPresent(
                    sum ->
                        rates
                            .next(gpu, rate, sum)
                            .ifPresent(
                                perSecond -> into.put(rate.dcgmField(), perSecond, rate.labels())));
      }
    }
  }

  /** Of the counters of a rate, if all were reported. */
  private static OptionalLong sum(
      Rate rate, List<Integer> places, List<NvmlResult<FieldValue>> answers, Readings into) {
    long sum = 0;
    int read = 0;
    for (int place : places) {
      NvmlResult<FieldValue> counter = answers.get(place);
      into.take(counter, Set.of(rate.dcgmField()), _ -> {});
      if (counter instanceof Value<FieldValue>(var value)) {
        sum += value.whole();
        read++;
      }
    }
    return read == places.size() ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  /**
   * Computes rates of counters: the difference between two polls over the time between them,
   * divided by 1000, truncated. That is DCGM's own blend of units for NVLink, whose counters are in
   * KiB, and KB/s for PCIe, whose counters are in bytes. The first poll of a counter of a GPU, and
   * a counter that went back, give no rate.
   */
  static final class TransferRates {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double DCGM_DIVISOR = 1_000;

    private final MonotonicClock monotonic;

    /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
    private final ConcurrentMap<Counted, CounterSample> last = new ConcurrentHashMap<>();

    TransferRates(MonotonicClock monotonic) {
      this.monotonic = monotonic;
    }

    OptionalDouble next(GpuUuid gpu, Rate rate, long count) {
      var now = new CounterSample(monotonic.nanos(), count);
      var before = last.put(new Counted(gpu, rate), now);
      boolean comparable =
          before != null
              && Long.compareUnsigned(now.count, before.count) >= 0
              && now.nanos > before.nanos;
      return comparable ? OptionalDouble.of(rate(before, now)) : OptionalDouble.empty();
    }

    private static double rate(CounterSample before, CounterSample now) {
      double seconds = (now.nanos - before.nanos) / NANOS_PER_SECOND;
      return Math.floor((now.count - before.count) / seconds / DCGM_DIVISOR);
    }

    private record Counted(GpuUuid gpu, Rate rate) {}

    private record CounterSample(long nanos, long count) {}
  }
}
