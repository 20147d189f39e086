package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.exporter.collect.DcgmFields.field;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Readings.UnitConversion;
import io.gpureclaimer.exporter.sample.Label;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How a DCGM field is computed from GPM metrics.
 *
 * @param dcgmField the field
 * @param labels what distinguishes it from other rows of the same field
 * @param metric its number in {@code nvml.h}
 * @param conversion what the measured number is in the unit of the field
 */
record GpmRow(
    DcgmField dcgmField, List<Label> labels, int metric, UnitConversion<Double> conversion) {
  private static final double PERCENT = 100;
  private static final double BYTES_PER_MIB = 1 << 20;

  /** A percentage, as a share of one. */
  static GpmRow share(String name, int metric) {
    return new GpmRow(
        field(name), List.of(), metric, percent -> OptionalDouble.of(percent / PERCENT));
  }

  /** MiB/s, as whole bytes per second. */
  static GpmRow bytes(String name, int metric) {
    return bytes(name, List.of(), metric);
  }

  /** The same of one link. */
  static GpmRow bytes(String name, List<Label> link, int metric) {
    return new GpmRow(
        field(name), link, metric, mib -> OptionalDouble.of(Math.floor(mib * BYTES_PER_MIB)));
  }

  /** A number as it is. */
  static GpmRow plain(String name, int metric) {
    return new GpmRow(field(name), List.of(), metric, OptionalDouble::of);
  }
}
