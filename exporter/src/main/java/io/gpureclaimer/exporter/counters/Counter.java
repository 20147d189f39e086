package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.common.vocabulary.ValueForm;

/**
 * One row of the counters file: a field that is served as a metric.
 *
 * @param field which quantity; its form is a number
 * @param name of the metric, as the row spells it
 * @param type what the {@code # TYPE} line says, right or wrong: it is the row's
 * @param help the text of the {@code # HELP} line, not yet escaped
 * @param factor makes the unit that the name promises of the unit that the field has; mostly 1
 */
public record Counter(DcgmField field, String name, MetricType type, String help, double factor) {
  public Counter {
    if (field.form() == ValueForm.TEXT) {
      throw new IllegalArgumentException(field + " is a text, and a metric is a number");
    }
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException("a factor must be positive and finite, was " + factor);
    }
  }

  /** A row whose name promises the field's own unit. */
  public Counter(DcgmField field, String name, MetricType type, String help) {
    this(field, name, type, help, 1);
  }

  /** How its values are written: whole numbers stay whole only if the factor is. */
  public ValueForm form() {
    return factor == Math.rint(factor) ? field.form() : ValueForm.SIX_DECIMALS;
  }
}
