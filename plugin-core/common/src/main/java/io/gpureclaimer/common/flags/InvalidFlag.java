package io.gpureclaimer.common.flags;

/**
 * A flag, variable or key has a value that cannot be honored; the message is one line for users.
 */
public final class InvalidFlag extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String problem;

  InvalidFlag(String problem) {
    super(problem);
    this.problem = problem;
  }

  /** Which flag, the rule, and the value that was found. */
  public String problem() {
    return problem;
  }
}
