package io.gpureclaimer.exporter.web;

/** A web configuration is not valid. Caught where the configuration is loaded. */
final class InvalidWebConfig extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private static final int LONGEST = 240;

  private final String problem;

  InvalidWebConfig(String problem) {
    super(problem);
    String line = problem.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    this.problem = line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }

  /** One line: where, the rule, and what was found. Never a secret. */
  String problem() {
    return problem;
  }
}
