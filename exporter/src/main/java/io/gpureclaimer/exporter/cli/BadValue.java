package io.gpureclaimer.exporter.cli;

/** A flag or variable says something that cannot be honored. Caught where the line is parsed. */
final class BadValue extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String problem;

  BadValue(String problem) {
    super(problem);
    this.problem = problem;
  }

  /** One line: which flag or variable, the rule, and what was found. */
  String problem() {
    return problem;
  }
}
