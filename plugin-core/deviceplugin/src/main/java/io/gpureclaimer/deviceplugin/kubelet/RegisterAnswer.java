package io.gpureclaimer.deviceplugin.kubelet;

/** The kubelet's answer to a registration. */
sealed interface RegisterAnswer {

  /** It is going to watch the list. */
  record Accepted() implements RegisterAnswer {}

  /**
   * It is not.
   *
   * @param outcome which kind of failure
   * @param reason one line for a human
   */
  record Rejected(RegistrationOutcome outcome, String reason) implements RegisterAnswer {}
}
