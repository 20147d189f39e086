package io.gpureclaimer.common.kubernetes;

/** The address of the API server is not configured; the message is one line for people. */
public final class ClusterNotConfigured extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClusterNotConfigured(String message) {
    super(message);
  }

  ClusterNotConfigured(String message, Throwable cause) {
    super(message, cause);
  }
}
