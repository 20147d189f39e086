package io.gpureclaimer.exporter.sample;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a device is allocated to its holder.
 *
 * @param holder who
 * @param share which of several shares of the device; null for the device as a whole
 * @param claim by which claim; null for a device of a device plugin
 * @param labels those of the pod's labels that are served
 */
public record DeviceAssignment(
    Holder holder, @Nullable String share, @Nullable Claim claim, ServedPodLabels labels) {

  /** The device as a whole, and nothing more is known. */
  public static DeviceAssignment of(Holder holder) {
    return new DeviceAssignment(holder, null, null, ServedPodLabels.NONE);
  }

  /** By which claim; empty for a device of a device plugin. */
  public Optional<Claim> byClaim() {
    return Optional.ofNullable(claim);
  }
}
