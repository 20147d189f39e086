package io.gpureclaimer.reclaimer.evidence.prometheus;

/** JSON, but not the JSON of a Prometheus; says what was expected and what was found. */
final class MalformedAnswer extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedAnswer(String expected, Object found) {
    super("expected " + expected + ", found " + found);
  }
}
