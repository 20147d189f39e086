package io.gpureclaimer.reclaimer.lint;

/** A file that no API server would take. Its message says what is wrong, in one line. */
public final class MalformedManifest extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedManifest(String message) {
    super(message);
  }

  MalformedManifest(String message, Throwable cause) {
    super(message, cause);
  }
}
