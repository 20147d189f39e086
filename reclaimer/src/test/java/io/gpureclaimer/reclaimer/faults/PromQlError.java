package io.gpureclaimer.reclaimer.faults;

/** A query that cannot be evaluated. */
final class PromQlError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PromQlError(String message) {
    super(message);
  }
}
