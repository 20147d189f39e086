package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.Endpoint;

/** Where the registration of a resource stands. Times are readings of the monotonic clock. */
sealed interface RegistrationPhase {

  /**
   * There is no server.
   *
   * @param until when to try, if the kubelet is there
   */
  record Waiting(long until) implements RegistrationPhase {}

  /** The kubelet has been asked to use this server. */
  record Registering(Endpoint endpoint) implements RegistrationPhase {}

  /**
   * The kubelet has said that it is going to watch the list.
   *
   * @param until when it should
   */
  record Unwatched(Endpoint endpoint, long until) implements RegistrationPhase {}

  /**
   * The kubelet watches the list.
   *
   * @param since when
   */
  record Watched(Endpoint endpoint, long since) implements RegistrationPhase {}

  /**
   * The server ends.
   *
   * @param cut when those who still talk to it are cut off
   * @param pause how long to wait with the next attempt once no client is connected, in nanoseconds
   */
  record Draining(Endpoint endpoint, long cut, long pause) implements RegistrationPhase {}
}
