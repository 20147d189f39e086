package io.gpureclaimer.common.kubernetes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Address and credentials of the API server.
 *
 * @param kubeconfig this file and no other
 * @param context this context of the kubeconfig instead of its current one
 * @param connect how long a connection may take to open
 * @param request how long one request may take
 * @param heartbeat how often an open watch is pinged; a ping without an answer until the next one
 *     breaks the watch
 */
public record ConnectionOptions(
    Optional<Path> kubeconfig,
    Optional<String> context,
    Duration connect,
    Duration request,
    Duration heartbeat) {
  public ConnectionOptions {
    mustBePositive("connect", connect);
    mustBePositive("request", request);
    mustBePositive("heartbeat", heartbeat);
  }

  private static void mustBePositive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
  }
}
