package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.List;

/**
 * One number that was learned about one device.
 *
 * @param field which quantity
 * @param value finite, already in the unit that the field promises
 * @param extra labels that tell it from other readings of the same field; mostly none
 */
public record Reading(DcgmField field, double value, List<Label> extra) {
  public Reading {
    extra = List.copyOf(extra);
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(field + " must be finite, was " + value);
    }
  }

  /** The only reading of its field. */
  public Reading(DcgmField field, double value) {
    this(field, value, List.of());
  }
}
