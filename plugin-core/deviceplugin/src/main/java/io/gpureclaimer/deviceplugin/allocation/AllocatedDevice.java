package io.gpureclaimer.deviceplugin.allocation;

import org.jspecify.annotations.Nullable;

/**
 * Share of one device that a container gets.
 *
 * @param portion the device as it is offered
 * @param shares how many of its shares; one if it is not shared
 */
record AllocatedDevice(AdvertisedDevice portion, int shares) {
  Device device() {
    return portion.device();
  }

  /** The memory that the shares stand for; null if that of the device is not known. */
  @Nullable Long memoryBytes() {
    Long share = portion.memoryBytes();
    return share == null ? null : share * shares;
  }
}
