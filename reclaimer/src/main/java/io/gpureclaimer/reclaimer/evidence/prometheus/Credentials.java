package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.HttpFailure;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient.ConnectionFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/** Credentials for a Prometheus. Files are read again for every query, so that they may change. */
public sealed interface Credentials {

  /** No credentials. */
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

  /**
   * The value of an {@code Authorization} header; files are read again each time.
   *
   * @throws ConnectionFileException if a file holds nothing that a header may carry
   */
  default Optional<String> header() {
    return switch (this) {
      case Anonymous() -> Optional.empty();
      case BearerToken(var token) -> Optional.of("Bearer " + token);
      case BearerTokenFile(var file) -> Optional.of("Bearer " + token(file));
      case BasicAuth(var user, var file) -> {
        String pair = user + ":" + content("a password", file);
        yield Optional.of(
            "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
      }
    };
  }

  private static String token(Path file) {
    String token = content("a bearer token", file);
    if (!BearerToken.fitsHeader(token)) {
      throw new ConnectionFileException(
          "a bearer token", file, "a character that no header may carry");
    }
    return token;
  }

  private static String content(String what, Path file) {
    try {
      String content = Files.readString(file).strip();
      if (content.isEmpty()) {
        throw new ConnectionFileException(what, file, "nothing");
      }
      return content;
    } catch (IOException e) {
      throw new ConnectionFileException(what, file, HttpFailure.text(e));
    }
  }
}
