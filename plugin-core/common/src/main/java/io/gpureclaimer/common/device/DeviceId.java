package io.gpureclaimer.common.device;

import org.jspecify.annotations.Nullable;

/** Device id of a device plugin, as used by the kubelet. */
public sealed interface DeviceId {

  /**
   * A spelling that names a device.
   *
   * @param device which one
   * @param share which of several shares of the device, as digits; null for the device as a whole
   */
  record Named(DeviceName device, @Nullable String share) implements DeviceId {}

  /**
   * Not a spelling that names a device.
   *
   * @param text as it was found
   */
  record Unmapped(String text) implements DeviceId {}

  /** Understands what it can, and guesses nothing. */
  static DeviceId of(String text) {
    return DeviceIdGrammar.parse(text);
  }
}
