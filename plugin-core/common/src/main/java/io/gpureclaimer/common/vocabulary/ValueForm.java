package io.gpureclaimer.common.vocabulary;

/** What the values of a field are, and how dcgm-exporter writes them. */
public enum ValueForm {
  /** {@code 42}. */
  INTEGER,
  /** {@code 42.000000}. */
  SIX_DECIMALS,
  /** Not a number: good for a label only. */
  TEXT
}
