package io.gpureclaimer.deviceplugin.allocation;

/**
 * Devices of a resource that are advertised as several replicas.
 *
 * @param name the resource that they would belong to if they were not shared
 * @param offeredAs the one that their shares belong to; may be the same
 * @param devices which of them
 * @param replicas in how many shares each is offered; at least two
 */
public record SharedResource(
    ResourceName name, ResourceName offeredAs, DeviceChoice devices, int replicas) {
  /** Fewer are no sharing. */
  public static final int FEWEST = 2;

  public SharedResource {
    if (replicas < FEWEST) {
      throw new IllegalArgumentException(
          "replicas of " + name + " must be at least " + FEWEST + ", was " + replicas);
    }
  }
}
