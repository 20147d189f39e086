package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.exporter.collect.Catalogued.field;

import io.gpureclaimer.core.nvml.FieldQuery.Field;
import io.gpureclaimer.core.nvml.FieldValue;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Meaning;
import java.util.List;
import java.util.OptionalDouble;

/** How one DCGM field is made of field values of the driver. */
sealed interface FieldRow {

  DcgmField told();

  /** What the driver is asked for. */
  List<Field> asked();

  /** One value, in another unit at most. */
  record Plain(DcgmField told, Field from, Meaning<FieldValue> meaning) implements FieldRow {
    @Override
    public List<Field> asked() {
      return List.of(from);
    }
  }

  /** How fast the sum of some counters grows. */
  record Rate(DcgmField told, List<Field> asked) implements FieldRow {
    public Rate {
      asked = List.copyOf(asked);
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

  private static OptionalDouble asIs(FieldValue value) {
    return OptionalDouble.of(value.real());
  }
}
