package io.gpureclaimer.reclaimer.faults;

/** Where the reclaimer learns who used what. */
enum EvidenceSourceKind {
  PROMETHEUS,
  /** The same, asked as for a large cluster: in parts, and of pods that work only in turns. */
  SELECTIVE,
  /** The same Prometheus, by the series of the exporter instead of the ledger. */
  SERIES,
  /** The same Prometheus, by the recording rules over these series. */
  RULES,
  DIRECT;

  /** Whether it uses series without the agent's own ledger. */
  boolean isOfSeries() {
    return this == SERIES || this == RULES;
  }
}
