package io.gpureclaimer.deviceplugin.kubelet;

/** What came of making an endpoint. */
sealed interface ServerStart {

  /** It can be reached. */
  record Opened(Endpoint endpoint) implements ServerStart {}

  /**
   * There is none.
   *
   * @param why in one line, with the path
   */
  record Impossible(String why) implements ServerStart {}
}
