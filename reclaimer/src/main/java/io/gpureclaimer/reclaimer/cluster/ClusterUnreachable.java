package io.gpureclaimer.reclaimer.cluster;

/** The API server did not answer; the state is unknown, and probably nothing was changed. */
public sealed class ClusterUnreachable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClusterUnreachable(String operation, Throwable cause) {
    super(operation + ": the API server did not answer: " + cause.getMessage(), cause);
  }

  public ClusterUnreachable(String operation, String reason) {
    super(operation + ": " + reason);
  }

  /**
   * The API server answered, and one object cannot be read: its kind is not served any longer, or
   * the role does not allow it. Other objects may be read.
   */
  public static final class ObjectUnreadable extends ClusterUnreachable {
    private static final long serialVersionUID = 1L;

    public ObjectUnreadable(String operation, String reason) {
      super(operation, reason);
    }
  }
}
