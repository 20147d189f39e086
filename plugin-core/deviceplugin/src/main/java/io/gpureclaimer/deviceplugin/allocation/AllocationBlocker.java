package io.gpureclaimer.deviceplugin.allocation;

/**
 * Reason why a device cannot be allocated, even if it is healthy.
 *
 * @param kind in a word
 * @param text what stands in the way of "it", and what to change: for people
 */
public record AllocationBlocker(BlockerKind kind, String text) {

  /** Kinds of reasons; a metric label has these values. */
  public enum BlockerKind {
    /** There is no CDI device of that name, so that a container with it would not start. */
    CDI("cdi"),
    /** Which device files open it is not known. */
    DEVICE_FILES("device-files"),
    /** A container holds it by what an earlier configuration offered, or may. */
    HELD("held"),
    /** A channel of the NVLink fabric is required, and not there. */
    IMEX("imex"),
    /** The daemon through which it is shared does not answer. */
    MPS("mps");

    private final String code;

    BlockerKind(String code) {
      this.code = code;
    }

    /** As a label spells it. */
    public String code() {
      return code;
    }
  }
}
