package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.core.vocabulary.DcgmField;

/**
 * One number that the driver said about one GPU.
 *
 * @param field which quantity
 * @param value finite, already in the unit that the field promises
 */
public record Reading(DcgmField field, double value) {
  public Reading {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(field + " must be finite, was " + value);
    }
  }
}
