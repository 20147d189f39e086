package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.ConnectionFileException;
import io.gpureclaimer.reclaimer.client.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/** Credentials as the value of an {@code Authorization} header. */
final class Authorization {
  private Authorization() {}

  /**
   * Reads the files anew each time.
   *
   * @throws ConnectionFileException if a file holds nothing that a header may carry
   */
  static Optional<String> header(Credentials credentials) {
    return switch (credentials) {
      case Credentials.Anonymous() -> Optional.empty();
      case Credentials.BearerToken(var token) -> Optional.of("Bearer " + token);
      case Credentials.BearerTokenFile(var file) -> Optional.of("Bearer " + token(file));
      case Credentials.BasicAuth(var user, var file) -> Optional.of("Basic " + pair(user, file));
    };
  }

  private static String token(Path file) {
    String token = content("a bearer token", file);
    if (!Credentials.BearerToken.fitsHeader(token)) {
      throw new ConnectionFileException(
          "a bearer token", file, "a character that no header may carry");
    }
    return token;
  }

  private static String pair(String user, Path file) {
    String pair = user + ":" + content("a password", file);
    return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static String content(String what, Path file) {
    try {
      String content = Files.readString(file).strip();
      if (content.isEmpty()) {
        throw new ConnectionFileException(what, file, "nothing");
      }
      return content;
    } catch (IOException e) {
      throw new ConnectionFileException(what, file, Failure.text(e));
    }
  }
}
