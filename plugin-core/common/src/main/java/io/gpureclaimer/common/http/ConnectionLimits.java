package io.gpureclaimer.common.http;

import java.time.Duration;

/**
 * How many connections a server keeps open, and for how long.
 *
 * @param connections at most, of all clients together
 * @param perClient at most, of one address
 * @param request how long a client may take to send a whole request, from the moment on in which
 *     the connection is open or the answer before was taken; zero for no limit
 * @param answer how long an answer may take, until the client has taken all of it; zero for no
 *     limit
 */
public record ConnectionLimits(int connections, int perClient, Duration request, Duration answer) {
  public ConnectionLimits {
    if (perClient < 1 || connections < perClient) {
      throw new IllegalArgumentException(
          "the connections of one client must be at least 1 and at most those of all, were "
              + perClient
              + " of "
              + connections);
    }
    if (request.isNegative() || answer.isNegative()) {
      throw new IllegalArgumentException(
          "timeouts must not be negative, were " + request + " and " + answer);
    }
  }
}
