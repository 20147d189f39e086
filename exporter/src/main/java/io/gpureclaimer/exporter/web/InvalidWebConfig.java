package io.gpureclaimer.exporter.web;

/** A web configuration is not valid. Caught where the configuration is loaded. */
final class InvalidWebConfig extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private static final int LONGEST = 240;

  InvalidWebConfig(String problem) {
    super(oneLine(problem));
  }

  /** One line: where, the rule, and what was found. Never a secret. */
  String problem() {
    return String.valueOf(getMessage());
  }

  private static String oneLine(String problem) {
    String line = problem.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }
}
