package io.gpureclaimer.core.kubelet;

/** The kubelet's answer breaks its own rules. Caught where the question is asked. */
final class MalformedAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  private final String problem;

  MalformedAnswer(String problem) {
    super(problem);
    this.problem = problem;
  }

  /** One line for a human. */
  String problem() {
    return problem;
  }
}
