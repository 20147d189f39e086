package io.gpureclaimer.reclaimer.faults;

/** A query that cannot be evaluated. */
final class PromQlMistake extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PromQlMistake(String message) {
    super(message);
  }
}
