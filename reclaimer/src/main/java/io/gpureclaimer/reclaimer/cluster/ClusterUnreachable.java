package io.gpureclaimer.reclaimer.cluster;

/** The API server did not answer; the state is unknown, and probably nothing was changed. */
public final class ClusterUnreachable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClusterUnreachable(String operation, Throwable cause) {
    super(operation + ": the API server did not answer: " + cause.getMessage(), cause);
  }

  public ClusterUnreachable(String operation, String reason) {
    super(operation + ": " + reason);
  }
}
