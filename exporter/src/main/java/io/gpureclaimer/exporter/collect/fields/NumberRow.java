package io.gpureclaimer.exporter.collect.fields;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.exporter.collect.Readings.UnitConversion;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.DeviceNumber;
import java.util.List;
import java.util.OptionalDouble;

/** How a DCGM field is computed from a single number of the driver. */
record NumberRow(
    DcgmField dcgmField, List<Label> labels, DeviceNumber asked, UnitConversion<Long> conversion) {
  private static final double MILLI = 1_000;
  private static final double PERCENT = 100;
  private static final int MEBI_SHIFT = 20;

  NumberRow(DcgmField dcgmField, DeviceNumber asked, UnitConversion<Long> conversion) {
    this(dcgmField, List.of(), asked, conversion);
  }

  /** A number as it is. */
  static NumberRow plain(String name, DeviceNumber number) {
    return new NumberRow(DcgmFields.field(name), number, OptionalDouble::of);
  }

  /** Milliwatts to watts, with their fraction. */
  static NumberRow watts(String name, DeviceNumber number) {
    return new NumberRow(
        DcgmFields.field(name), number, milliwatts -> OptionalDouble.of(milliwatts / MILLI));
  }

  /** A percentage, as a share of one. */
  static NumberRow share(DcgmField dcgmField, DeviceNumber percent) {
    return new NumberRow(dcgmField, percent, value -> OptionalDouble.of(value / PERCENT));
  }

  /** Bytes to MiB, rounded down. */
  static NumberRow mebibytes(String name, DeviceNumber number) {
    return new NumberRow(
        DcgmFields.field(name),
        number,
        bytes -> OptionalDouble.of((double) (bytes >>> MEBI_SHIFT)));
  }
}
