package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.map;
import static io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.maps;
import static io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.text;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is remembered of a ResourceSlice: some or all devices of a pool.
 *
 * @param node that has the devices
 * @param generation of the pool; slices of an older one do not count
 * @param slices of how many the pool consists in this generation
 */
public record KnownSlice(
    String node, String pool, long generation, int slices, List<SliceDevice> devices) {
  private static final Set<String> EFFECTS = Set.of("NoSchedule", "NoExecute");

  public KnownSlice {
    devices = List.copyOf(devices);
  }

  /**
   * A device.
   *
   * @param resource as a device plugin would name it; empty if it does not count: a MIG device that
   *     is made on demand, one that several claims may share, one that is neither GPU nor MIG
   *     device
   * @param product its product name; empty if it has none, or does not count
   * @param tainted whether a device taint forbids its allocation
   * @param counterSets from which it consumes counters, as the partitions of one GPU do
   */
  public record SliceDevice(
      String name,
      Optional<String> resource,
      Optional<String> product,
      boolean tainted,
      Set<String> counterSets) {
    public SliceDevice {
      counterSets = Set.copyOf(counterSets);
    }

    /** In v1beta1, all but the name is one level deeper. */
    private static SliceDevice of(Map<?, ?> device) {
      Map<?, ?> fields = device.get("basic") instanceof Map<?, ?> basic ? basic : device;
      Set<String> counterSets =
          maps(fields.get("consumesCounters"))
              .map(consumed -> text(consumed, "counterSet").intern())
              .collect(Collectors.toUnmodifiableSet());
      Map<?, ?> attributes = map(fields.get("attributes"));
      Optional<String> resource =
          Boolean.TRUE.equals(fields.get("allowMultipleAllocations"))
              ? Optional.empty()
              : resource(attributes, !counterSets.isEmpty());
      return new SliceDevice(
          text(device, "name").intern(),
          resource,
          resource.flatMap(_ -> attribute(attributes, "productName")),
          maps(fields.get("taints")).anyMatch(taint -> EFFECTS.contains(text(taint, "effect"))),
          counterSets);
    }

    private static Optional<String> resource(Map<?, ?> attributes, boolean isPartitionable) {
      return switch (attribute(attributes, "type").orElse("")) {
        case "gpu" -> Optional.of(ResourceNames.GPU);
        case "mig" ->
            attribute(attributes, "profile")
                .filter(_ -> !isPartitionable)
                .map(profile -> (ResourceNames.MIG_PREFIX + profile.replace('+', '.')).intern());
        default -> Optional.empty();
      };
    }

    /** A name without a domain is the driver's own, and may be written with it as well. */
    private static Optional<String> attribute(Map<?, ?> attributes, String name) {
      Map<?, ?> own = map(attributes.get(name));
      Map<?, ?> value = own.isEmpty() ? map(attributes.get(KnownClaim.GPUS + "/" + name)) : own;
      return value.get("string") instanceof String text
          ? Optional.of(text.intern())
          : Optional.empty();
    }
  }

  /**
   * Reads what all versions of the API have: v1, v1beta2, v1beta1. Empty for a slice of another
   * driver, or of devices that are not those of one node.
   */
  public static Optional<KnownSlice> of(GenericKubernetesResource slice) {
    Map<?, ?> spec = map(slice.getAdditionalProperties().get("spec"));
    Map<?, ?> pool = map(spec.get("pool"));
    if (!KnownClaim.GPUS.equals(spec.get("driver"))
        || !(spec.get("nodeName") instanceof String node)
        || !(pool.get("generation") instanceof Number generation)
        || !(pool.get("resourceSliceCount") instanceof Number slices)) {
      return Optional.empty();
    }
    return Optional.of(
        new KnownSlice(
            node.intern(),
            text(pool, "name").intern(),
            generation.longValue(),
            slices.intValue(),
            maps(spec.get("devices")).map(SliceDevice::of).toList()));
  }
}
