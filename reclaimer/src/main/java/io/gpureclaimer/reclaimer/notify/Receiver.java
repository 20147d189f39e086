package io.gpureclaimer.reclaimer.notify;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Receiver of messages.
 *
 * @param name name in policies and logs; the address may be a secret
 * @param headersFile headers to send, one {@code Name: value} a line; read for each message
 * @param caFile PEM certificates to trust instead of the JVM's; read for each message
 * @param always whether it gets every message and must accept every warning; otherwise only those
 *     about workloads whose policy names it
 */
public record Receiver(
    String name,
    PayloadFormat kind,
    Address address,
    Optional<Path> headersFile,
    Optional<Path> caFile,
    boolean always) {

  /** Format of the messages. */
  public enum PayloadFormat {
    /** Our own JSON. */
    GENERIC("generic"),
    /** An incoming webhook of Slack, or of a compatible server. */
    SLACK("slack"),
    /** Alertmanager's {@code /api/v2/alerts}. */
    ALERTMANAGER("alertmanager");

    private final String code;

    PayloadFormat(String code) {
      this.code = code;
    }

    /** The format with this code. */
    static Optional<PayloadFormat> of(String code) {
      return Arrays.stream(values()).filter(format -> format.code.equals(code)).findFirst();
    }
  }

  /** Address of a receiver. */
  public sealed interface Address {
    /** A URL in the configuration. */
    record Open(URI url) implements Address {}

    /** A secret in a file, read for each message. */
    record InFile(Path file) implements Address {}

    /** The URL in the text, if messages can be posted to it. */
    static Optional<URI> parse(String text) {
      try {
        return Optional.of(new URI(text.strip()))
            .filter(url -> url.getHost() != null && url.getRawUserInfo() == null)
            .filter(
                url ->
                    "http".equalsIgnoreCase(url.getScheme())
                        || "https".equalsIgnoreCase(url.getScheme()));
      } catch (URISyntaxException _) {
        return Optional.empty();
      }
    }
  }
}
