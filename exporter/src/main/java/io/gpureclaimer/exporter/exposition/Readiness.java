package io.gpureclaimer.exporter.exposition;

/** Whether a scrape would tell something about the GPUs. */
public sealed interface Readiness {

  /** It would. */
  record Ready() implements Readiness {}

  /** It would not; {@code reason} is one line for a human. */
  record NotReady(String reason) implements Readiness {}
}
