package io.gpureclaimer.core.vocabulary;

/** How dcgm-exporter writes the values of a field. */
public enum NumberForm {
  /** {@code 42}. */
  INTEGER,
  /** {@code 42.000000}. */
  SIX_DECIMALS
}
