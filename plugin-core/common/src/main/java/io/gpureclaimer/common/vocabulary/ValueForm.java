package io.gpureclaimer.common.vocabulary;

/** Type of the values of a field, and its format in dcgm-exporter. */
public enum ValueForm {
  /** {@code 42}. */
  INTEGER,
  /** {@code 42.000000}. */
  SIX_DECIMALS,
  /** Not a number: good for a label only. */
  TEXT
}
