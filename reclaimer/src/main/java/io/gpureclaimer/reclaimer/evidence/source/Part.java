package io.gpureclaimer.reclaimer.evidence.source;

/** The questions of a look at the past. */
enum Part {
  EVIDENCE,
  SIGNALS_OF_DEVICES,
  SIGNALS_OF_PODS
}
