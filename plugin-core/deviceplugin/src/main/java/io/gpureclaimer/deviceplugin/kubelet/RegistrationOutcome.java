package io.gpureclaimer.deviceplugin.kubelet;

/** Result of an attempt to register. */
public enum RegistrationOutcome {
  /** The kubelet has accepted, and watches the list. */
  WATCHED,
  /** The kubelet has accepted, and then did not watch the list in time. */
  NOT_WATCHED,
  /** The kubelet has said no. */
  REFUSED,
  /** The kubelet has not answered in time. */
  TIMED_OUT,
  /** No process answers at the kubelet's socket. */
  UNREACHABLE,
  /** We have no socket of our own to register. */
  NO_SOCKET
}
