package io.gpureclaimer.reclaimer.config;

import java.net.URI;

/**
 * An address to ask over HTTP. What is said about it never repeats more than scheme and host, for
 * the rest may hold a password.
 */
final class HttpAddress {
  private HttpAddress() {}

  /**
   * Checks one that was configured.
   *
   * @param property where
   */
  static void check(String property, URI url) {
    boolean http = "http".equalsIgnoreCase(url.getScheme());
    if (!http && !"https".equalsIgnoreCase(url.getScheme())) {
      throw new IllegalArgumentException(
          property
              + " must begin with http:// or https://, "
              + (url.getScheme() == null
                  ? "it had no scheme"
                  : "its scheme was " + url.getScheme()));
    }
    if (url.getHost() == null) {
      throw new IllegalArgumentException(property + " must name a host, it named none");
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          property
              + " must not hold a user or password, the one with host "
              + url.getHost()
              + " does");
    }
  }
}
