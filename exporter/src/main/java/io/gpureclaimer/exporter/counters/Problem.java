package io.gpureclaimer.exporter.counters;

/**
 * What is wrong with a counters file, and where.
 *
 * @param line from 1
 * @param column from 1, in characters
 * @param reason for people: what was expected and what was found
 */
public record Problem(int line, int column, String reason) {
  @Override
  public String toString() {
    return "line " + line + ", column " + column + ": " + reason;
  }
}
