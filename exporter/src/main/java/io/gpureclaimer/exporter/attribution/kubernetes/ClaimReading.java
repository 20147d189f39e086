package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.exporter.attribution.ClaimRegister.ClaimAllocation;
import io.gpureclaimer.exporter.attribution.DeviceRegister;
import io.gpureclaimer.exporter.attribution.DeviceRegister.PublishedDevice;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a ResourceClaim was given by the driver of GPUs. */
final class ClaimReading {
  private ClaimReading() {}

  /**
   * Reads what v1, v1beta2 and v1beta1 have alike: the scheduler writes to each device whether it
   * is for admin access, so nobody has to find the request that it was given for.
   */
  static ClaimAllocation of(GenericKubernetesResource claim) {
    var held = new HashSet<PublishedDevice>();
    var lookedAt = new HashSet<PublishedDevice>();
    var status = map(claim.getAdditionalProperties().get("status"));
    var devices = map(map(status.get("allocation")).get("devices"));
    if (devices.get("results") instanceof List<?> results) {
      for (Object each : results) {
        var result = map(each);
        if (DeviceRegister.DRIVER.equals(result.get("driver"))
            && result.get("pool") instanceof String pool
            && result.get("device") instanceof String device) {
          boolean admin = Boolean.TRUE.equals(result.get("adminAccess"));
          (admin ? lookedAt : held).add(new PublishedDevice(pool, device));
        }
      }
    }
    return new ClaimAllocation(held, lookedAt);
  }

  private static Map<?, ?> map(@Nullable Object object) {
    return object instanceof Map<?, ?> map ? map : Map.of();
  }
}
