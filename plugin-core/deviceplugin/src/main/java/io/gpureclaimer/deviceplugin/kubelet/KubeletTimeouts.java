package io.gpureclaimer.deviceplugin.kubelet;

import java.time.Duration;

/**
 * Timeouts towards the kubelet.
 *
 * @param probe between two checks of the sockets, if nothing else reports a change
 * @param register for the kubelet's answer to a registration
 * @param stream for the kubelet to watch the list after it has accepted a registration
 * @param drain for those who still talk to a server that ends
 * @param settle between the end of a connection and the next registration: the kubelet closes the
 *     connection before it forgets the endpoint, and then it forgets by name only
 * @param firstRetry after a first failure; it doubles with each that follows
 * @param longestRetry after many failures
 * @param stable how long a stream must have lasted for its end not to count as a failure
 * @param handshake for a client of ours to begin HTTP/2
 * @param selfCheck between two questions what the kubelet believes
 */
public record KubeletTimeouts(
    Duration probe,
    Duration register,
    Duration stream,
    Duration drain,
    Duration settle,
    Duration firstRetry,
    Duration longestRetry,
    Duration stable,
    Duration handshake,
    Duration selfCheck) {

  /** What suits a kubelet as it is; it waits up to ten seconds itself when it calls back. */
  public static final KubeletTimeouts USUAL =
      new KubeletTimeouts(
          Duration.ofSeconds(1),
          Duration.ofSeconds(11),
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofMillis(500),
          Duration.ofMillis(250),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(20));
}
