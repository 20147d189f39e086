package io.gpureclaimer.exporter.attribution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.exporter.attribution.DeviceRegister;
import io.gpureclaimer.exporter.attribution.DeviceRegister.Description;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a ResourceSlice: the devices of one pool, or a part of them.
 *
 * @param pool the driver's name of it
 * @param generation of the pool; slices of an older one do not count any more
 * @param devices by what the driver calls them
 */
record Slice(String pool, long generation, Map<String, Description> devices) {
  Slice {
    devices = Map.copyOf(devices);
  }

  /** Reads what all versions of the API have; empty for a slice of another driver. */
  static Optional<Slice> of(GenericKubernetesResource object) {
    if (!(object.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec)
        || !DeviceRegister.DRIVER.equals(spec.get("driver"))
        || !(spec.get("pool") instanceof Map<?, ?> pool)
        || !(pool.get("name") instanceof String name)
        || !(pool.get("generation") instanceof Number generation)
        || !(spec.get("devices") instanceof List<?> list)) {
      return Optional.empty();
    }
    var devices = new HashMap<String, Description>();
    for (Object device : list) {
      if (device instanceof Map<?, ?> map && map.get("name") instanceof String called) {
        description(map).ifPresent(description -> devices.put(called, description));
      }
    }
    return Optional.of(new Slice(name, generation.longValue(), devices));
  }

  /** v1beta1 has a device's attributes one level deeper. */
  private static Optional<Description> description(Map<?, ?> device) {
    Map<?, ?> holder = device.get("basic") instanceof Map<?, ?> basic ? basic : device;
    return holder.get("attributes") instanceof Map<?, ?> attributes
        ? text(attributes, "uuid")
            .map(uuid -> new Description(uuid, text(attributes, "profile").orElse(null)))
        : Optional.empty();
  }

  /** A name without a domain is the driver's own, and may be written with it as well. */
  private static Optional<String> text(Map<?, ?> attributes, String name) {
    @Nullable Object value = attributes.get(name);
    if (value == null) {
      value = attributes.get(DeviceRegister.DRIVER + "/" + name);
    }
    return value instanceof Map<?, ?> typed && typed.get("string") instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }
}
