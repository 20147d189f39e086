package io.gpureclaimer.deviceplugin.nodehealth;

/**
 * Health of the GPUs of the node, as its condition reports it.
 *
 * @param status whether a GPU is unhealthy
 * @param reason in one word, as programs search for it
 * @param message for people
 */
public record NodeHealth(UnhealthyStatus status, String reason, String message) {

  /** Status of the condition {@code GpuUnhealthy}. */
  public enum UnhealthyStatus {
    /** At least one GPU is unhealthy. */
    TRUE("True"),
    /** All GPUs that are offered are healthy. */
    FALSE("False"),
    /** No GPU has been read, or none is offered. */
    UNKNOWN("Unknown");

    private final String text;

    UnhealthyStatus(String text) {
      this.text = text;
    }

    /** As Kubernetes spells it. */
    public String text() {
      return text;
    }
  }
}
