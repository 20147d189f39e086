package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.exporter.collect.DcgmFields.field;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Readings.UnitConversion;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.FieldQuery.Field;
import io.gpureclaimer.nvml.FieldValue;
import java.util.List;
import java.util.OptionalDouble;

/** How a DCGM field is computed from field values of the driver. */
sealed interface FieldRow {

  DcgmField dcgmField();

  /** Labels that distinguish it from other rows of the same field. */
  List<Label> labels();

  /** What the driver is asked for. */
  List<Field> asked();

  /** One value, in another unit at most. */
  record Plain(
      DcgmField dcgmField, List<Label> labels, Field from, UnitConversion<FieldValue> conversion)
      implements FieldRow {
    Plain(DcgmField dcgmField, Field from, UnitConversion<FieldValue> conversion) {
      this(dcgmField, List.of(), from, conversion);
    }

    @Override
    public List<Field> asked() {
      return List.of(from);
    }
  }

  /** Rate of the sum of some counters. */
  record Rate(DcgmField dcgmField, List<Label> labels, List<Field> asked) implements FieldRow {
    public Rate {
      labels = List.copyOf(labels);
      asked = List.copyOf(asked);
    }

    Rate(DcgmField dcgmField, List<Field> asked) {
      this(dcgmField, List.of(), asked);
    }
  }

  /** A value as it is. */
  static FieldRow plain(String name, int id) {
    return new Plain(field(name), Field.of(id), FieldRow::asIs);
  }

  /** A value over all links, as it is. */
  static FieldRow allLinks(String name, int id) {
    return new Plain(field(name), Field.ofAllLinks(id), FieldRow::asIs);
  }

  /** Of one link, as it is. */
  static FieldRow link(String name, List<Label> link, Field from) {
    return new Plain(field(name), link, from, FieldRow::asIs);
  }

  private static OptionalDouble asIs(FieldValue value) {
    return OptionalDouble.of(value.real());
  }
}
