package io.gpureclaimer.common.kubernetes;

/** Nothing says where the API server is; the message is one line for people. */
public final class ClusterNotConfigured extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClusterNotConfigured(String message) {
    super(message);
  }

  ClusterNotConfigured(String message, Throwable cause) {
    super(message, cause);
  }
}
