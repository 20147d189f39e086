package io.gpureclaimer.reclaimer.evidence.direct;

/** A line that the text format does not allow; says what was expected. */
final class MalformedLine extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedLine(String expected, int column) {
    super(expected + " at column " + (column + 1));
  }
}
