package io.gpureclaimer.exporter.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * What an {@code Authorization} header of the scheme Basic says.
 *
 * @param user may be empty, and has no colon
 * @param password may be empty
 */
record BasicCredentials(String user, String password) {
  private static final String SCHEME = "Basic ";

  /** Nothing, if the header is of another scheme or malformed. */
  static Optional<BasicCredentials> of(String header) {
    if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    try {
      byte[] decoded = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
      String both = new String(decoded, StandardCharsets.UTF_8);
      int colon = both.indexOf(':');
      return colon < 0
          ? Optional.empty()
          : Optional.of(new BasicCredentials(both.substring(0, colon), both.substring(colon + 1)));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "credentials of " + user;
  }
}
