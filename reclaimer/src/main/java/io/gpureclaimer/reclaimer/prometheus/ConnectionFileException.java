package io.gpureclaimer.reclaimer.prometheus;

import java.nio.file.Path;

/** A file that the connection needs cannot be used. Its content is never part of the message. */
final class ConnectionFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String expected;
  private final String found;

  ConnectionFileException(String expected, Path file, String found) {
    super(expected + " in " + file + ", found " + found);
    this.expected = expected + " in " + file;
    this.found = found;
  }

  Answer.Unusable answer() {
    return new Answer.Unusable(expected, found);
  }
}
