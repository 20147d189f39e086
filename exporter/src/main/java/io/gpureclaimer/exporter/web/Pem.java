package io.gpureclaimer.exporter.web;

import java.nio.file.Path;

/** Where a certificate or a key is. */
sealed interface Pem {

  /** In the web configuration itself, under {@code key}. */
  record Inline(String key, String text) implements Pem {}

  /** In a file that {@code key} names. */
  record InFile(String key, Path file) implements Pem {}

  /** What a message calls it. */
  default String named() {
    return switch (this) {
      case Inline(var key, _) -> key;
      case InFile(var key, var file) -> key + " " + file;
    };
  }
}
