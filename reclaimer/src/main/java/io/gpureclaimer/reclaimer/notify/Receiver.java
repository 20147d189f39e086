package io.gpureclaimer.reclaimer.notify;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Somebody who gets messages.
 *
 * @param name by which people know it; its address may be a secret
 * @param kind which form of message it understands
 * @param address where it is
 * @param headersFile holds headers to send, one {@code Name: value} a line; read anew each time
 * @param caFile PEM certificates to trust instead of the JVM's; read anew each time
 * @param always whether it gets every message, and must have every warning; else only those of
 *     workloads whose policy names it
 */
public record Receiver(
    String name,
    Kind kind,
    Address address,
    Optional<Path> headersFile,
    Optional<Path> caFile,
    boolean always) {

  /** Which form of message a receiver understands. */
  public enum Kind {
    /** Our own JSON. */
    GENERIC("generic"),
    /** An incoming webhook of Slack, or of what imitates it. */
    SLACK("slack"),
    /** Alertmanager's {@code /api/v2/alerts}. */
    ALERTMANAGER("alertmanager");

    private final String code;

    Kind(String code) {
      this.code = code;
    }

    /** The kind that is written so. */
    static Optional<Kind> of(String code) {
      return Arrays.stream(values()).filter(kind -> kind.code.equals(code)).findFirst();
    }
  }

  /** Where a receiver is. */
  public sealed interface Address {
    /** Known to everybody who reads the configuration. */
    record Open(URI url) implements Address {}

    /** A secret in a file, read anew each time. */
    record InFile(Path file) implements Address {}
  }
}
