package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.nio.file.Path;

/** How the Prometheus knows us. Files are read anew for every question, so that they may change. */
public sealed interface Credentials {

  /** It lets everybody in. */
  record Anonymous() implements Credentials {}

  /**
   * A bearer token, given as it is.
   *
   * @param token never shown
   */
  record BearerToken(String token) implements Credentials {
    public BearerToken {
      if (!fitsHeader(token)) {
        throw new IllegalArgumentException(
            "a bearer token must be printable ASCII without spaces; it is not shown here");
      }
    }

    static boolean fitsHeader(String token) {
      return !token.isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    @Override
    public String toString() {
      return "BearerToken[token=***]";
    }
  }

  /**
   * A bearer token in a file, such as that of a service account.
   *
   * @param file holds the token and nothing else
   */
  record BearerTokenFile(Path file) implements Credentials {}

  /**
   * HTTP basic authentication.
   *
   * @param user without a colon
   * @param passwordFile holds the password and nothing else
   */
  record BasicAuth(String user, Path passwordFile) implements Credentials {
    public BasicAuth {
      if (user.contains(":")) {
        throw new IllegalArgumentException("a basic auth user must not contain a colon: " + user);
      }
    }
  }
}
