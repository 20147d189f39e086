package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;

/**
 * Devices that are advertised as several replicas, and how their users are isolated.
 *
 * @param kind by whom; {@code NONE} without resources
 * @param oneShareAtMost whether a container is refused that asks for more than one share
 * @param resources the first that speaks of a device decides about it
 */
public record Sharing(SharingKind kind, boolean oneShareAtMost, List<SharedResource> resources) {
  /** Nothing is shared. */
  public static final Sharing NONE = new Sharing(SharingKind.NONE, false, List.of());

  public Sharing {
    resources = List.copyOf(resources);
    if ((kind == SharingKind.NONE) != resources.isEmpty()) {
      throw new IllegalArgumentException(
          "sharing needs a kind and resources, or none of both, was " + kind + ", " + resources);
    }
  }

  /** Isolation of the users of a shared device. */
  public enum SharingKind {
    /** Not shared: the device is allocated to one container at a time. */
    NONE("none", ""),
    /** The driver, which lets them take turns; memory is not divided. */
    TIME_SLICING("time-slicing", "sharing.timeSlicing"),
    /** CUDA's Multi-Process Service, which divides memory and multiprocessors. */
    MPS("mps", "sharing.mps");

    private final String text;
    private final String key;

    SharingKind(String text, String key) {
      this.text = text;
      this.key = key;
    }

    /** As node labels spell it. */
    public String text() {
      return text;
    }

    /** The part of the config file that is about it; empty for {@code NONE}. */
    public String key() {
      return key;
    }
  }
}
