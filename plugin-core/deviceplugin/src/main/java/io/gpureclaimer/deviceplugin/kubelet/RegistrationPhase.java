package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.Endpoint;

/** Phase of the registration of a resource. Times are readings of the monotonic clock. */
sealed interface RegistrationPhase {

  /**
   * There is no server.
   *
   * @param until when to try, if the kubelet is there
   */
  record Waiting(long until) implements RegistrationPhase {}

  /** The kubelet was sent this endpoint. */
  record Registering(Endpoint endpoint) implements RegistrationPhase {}

  /**
   * The kubelet accepted, and does not watch the list yet.
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
