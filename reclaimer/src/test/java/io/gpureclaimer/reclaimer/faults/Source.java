package io.gpureclaimer.reclaimer.faults;

/** Where the reclaimer learns who used what. */
enum Source {
  PROMETHEUS,
  /** The same Prometheus, by the series of the exporter instead of the ledger. */
  SERIES,
  DIRECT
}
