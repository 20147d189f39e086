package io.gpureclaimer.reclaimer.client;

import java.nio.file.Path;

/** A file that the connection needs cannot be used. Its content is never part of the message. */
public final class ConnectionFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String expected;
  private final String found;

  public ConnectionFileException(String expected, Path file, String found) {
    super(expected + " in " + file + ", found " + found);
    this.expected = expected + " in " + file;
    this.found = found;
  }

  /** What should have been there. */
  public String expected() {
    return expected;
  }

  /** What was there. */
  public String found() {
    return found;
  }
}
