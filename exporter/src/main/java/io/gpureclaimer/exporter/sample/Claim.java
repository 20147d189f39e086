package io.gpureclaimer.exporter.sample;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resource claim by which a device is allocated.
 *
 * @param name the claim's name
 * @param namespace the claim's namespace
 * @param driver whose device it is
 * @param pool the driver's pool that the device is in
 * @param device what the driver calls the device within the pool
 * @param mig which device of MIG it is; null if it is none
 */
public record Claim(
    String name,
    String namespace,
    String driver,
    String pool,
    String device,
    @Nullable ClaimedMigDevice mig) {

  /** Which device of MIG it is; empty if it is none. */
  public Optional<ClaimedMigDevice> migDevice() {
    return Optional.ofNullable(mig);
  }

  /**
   * A MIG device, as the DRA driver publishes it.
   *
   * @param uuid with its {@code MIG-}
   * @param profile its size; null when the driver does not publish it
   */
  public record ClaimedMigDevice(String uuid, @Nullable String profile) {}
}
