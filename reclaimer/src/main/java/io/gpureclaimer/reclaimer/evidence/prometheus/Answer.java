package io.gpureclaimer.reclaimer.evidence.prometheus;

/** How one question to the Prometheus turned out. */
public sealed interface Answer {

  /** It answered, and nothing hints that something is missing. */
  record Complete() implements Answer {}

  /**
   * It did not, or not completely; samples that were handed on before that count for nothing.
   *
   * @param expected the rule
   * @param found what came instead
   */
  record Unusable(String expected, String found) implements Answer {}
}
