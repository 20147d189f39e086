package io.gpureclaimer.deviceplugin.cdi.spec;

import org.jspecify.annotations.Nullable;

/**
 * A device file. The runtime reads its numbers and its mode from the host's file, unless they are
 * given.
 *
 * @param path in the container
 * @param hostPath on the host; null if it is the same
 * @param number what to make it from where the host has no such file; null to read the host's
 */
public record DeviceNode(String path, @Nullable String hostPath, @Nullable DeviceNumber number) {

  /**
   * The numbers of a character device.
   *
   * @param major of its driver
   * @param minor of the device
   */
  public record DeviceNumber(int major, int minor) {}
}
