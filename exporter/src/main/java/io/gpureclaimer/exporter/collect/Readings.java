package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Collects the readings of one GPU during a poll. Confined to the thread that polls the GPU. */
public final class Readings {

  /** Converts a raw number of the driver to the unit of its field; empty if it has no meaning. */
  public interface UnitConversion<T> {
    OptionalDouble of(T raw);
  }

  private final List<Reading> taken = new ArrayList<>();
  private final List<FailedCall> failures = new ArrayList<>();
  private final Set<DcgmField> failedFields = new HashSet<>();
  private final Set<DcgmField> wanted;
  private boolean answered;
  private UtilizationSamples load = new UtilizationSamples.Unknown();
  private @Nullable ListedProcesses processes;

  /** What is not wanted is not entered. */
  public Readings(Set<DcgmField> wanted) {
    this.wanted = wanted;
  }

  /** Whether the field is wanted; a query for it alone is needless if not. */
  public boolean wants(DcgmField field) {
    return wanted.contains(field);
  }

  /** The same object as long as the selection is the same. */
  public Set<DcgmField> wanted() {
    return wanted;
  }

  /** One answer that is one field. */
  public <T> void add(DcgmField field, NvmlResult<T> answer, ToDoubleFunction<T> toUnit) {
    if (answer instanceof Value<T>(var value)) {
      answered = true;
      put(field, toUnit.applyAsDouble(value));
    } else {
      missed(answer, field);
    }
  }

  /** One answer that is one field, unless its value has no meaning. */
  public <T> void addConverted(
      DcgmField field, NvmlResult<T> answer, UnitConversion<T> conversion) {
    addConverted(field, List.of(), answer, conversion);
  }

  /** The same of one of several readings of the field. */
  public <T> void addConverted(
      DcgmField field, List<Label> extra, NvmlResult<T> answer, UnitConversion<T> conversion) {
    if (answer instanceof Value<T>(var value)) {
      answered = true;
      OptionalDouble number = conversion.of(value);
      if (number.isPresent()) {
        put(field, number.getAsDouble(), extra);
      }
    } else {
      missed(answer, field);
    }
  }

  private void missed(NvmlResult<?> answer, DcgmField about) {
    if (answer instanceof Failed<?> failed) {
      failures.add(failed.call());
      failedFields.add(about);
    }
  }

  /**
   * One answer that is several fields, or not yet one; {@code use} sees it only if there is one.
   * When the driver failed to give it, the fields it is {@code about} are failedFields.
   */
  public <T> void take(NvmlResult<T> answer, Set<DcgmField> about, Consumer<T> use) {
    switch (answer) {
      case Value<T>(var value) -> {
        answered = true;
        use.accept(value);
      }
      case Unsupported<T> _ -> {}
      case Failed<T> failed -> {
        failures.add(failed.call());
        failedFields.addAll(about);
      }
    }
  }

  public void put(DcgmField field, double value) {
    put(field, value, List.of());
  }

  /** One of several readings of the field, distinguished by labels of its own. */
  public void put(DcgmField field, double value, List<Label> extra) {
    if (wants(field)) {
      taken.add(new Reading(field, value, extra));
    }
  }

  /** Exact up to 2 to the 53rd, which no counter of a GPU reaches. */
  public void put(DcgmField field, long value) {
    put(field, (double) value);
  }

  /** The value of a field that was read so far; empty if there is none, or several. */
  public OptionalDouble value(DcgmField field) {
    Reading found = null;
    for (Reading reading : taken) {
      if (reading.field() == field) {
        if (found != null) {
          return OptionalDouble.empty();
        }
        found = reading;
      }
    }
    return found == null ? OptionalDouble.empty() : OptionalDouble.of(found.value());
  }

  /** The driver was asked, and answered nothing but failures. */
  public boolean isSilent() {
    return !answered && !failures.isEmpty();
  }

  /** True once the driver has said that the GPU is gone; what it said before is then void. */
  public boolean gpuIsLost() {
    return failures.stream().anyMatch(it -> it.reason() == NvmlReturn.GPU_IS_LOST);
  }

  /** A collector broke: all of its fields that it had not read yet have failed. */
  public void breakOff(Set<DcgmField> fields) {
    failedFields.addAll(fields);
  }

  /**
   * The wanted fields that the driver failed to report; what it does not support is not among them.
   */
  public Set<DcgmField> failedFields() {
    if (failedFields.isEmpty()) {
      return Set.of();
    }
    var fields = new HashSet<>(failedFields);
    fields.retainAll(wanted);
    taken.forEach(reading -> fields.remove(reading.field()));
    return fields;
  }

  public void load(UtilizationSamples found) {
    load = found;
  }

  /** How busy the GPU was since the pass before. */
  public UtilizationSamples load() {
    return load;
  }

  public void processes(ListedProcesses listed) {
    processes = listed;
  }

  /** The processes on the GPU; empty if not wanted, or not reported by the driver. */
  public Optional<ListedProcesses> processes() {
    return Optional.ofNullable(processes);
  }

  public List<Reading> taken() {
    return taken;
  }

  public List<FailedCall> failures() {
    return failures;
  }
}
