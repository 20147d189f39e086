package io.gpureclaimer.reclaimer.faults;

/** Where the reclaimer learns who used what. */
enum Source {
  PROMETHEUS,
  DIRECT
}
