package io.gpureclaimer.deviceplugin.kubelet;

/** What came of making an endpoint. */
sealed interface Opening {

  /** It can be reached. */
  record Opened(Endpoint endpoint) implements Opening {}

  /**
   * There is none.
   *
   * @param why in one line, with the path
   */
  record Impossible(String why) implements Opening {}
}
