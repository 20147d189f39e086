package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many GPUs of a model, or devices that are parts of such GPUs, are kept free, so that the next
 * pod need not wait.
 *
 * @param model words of the node label {@code nvidia.com/gpu.product}, such as {@code H100}
 * @param resource the extended resource of the devices: whole GPUs, MIG devices of a profile, or
 *     replicas
 * @param blocks how many times
 * @param devices those of one block, all on one node
 */
public record FreeGpuFloor(String model, String resource, int blocks, int devices) {
  /** Grammar, for people. */
  public static final String GRAMMAR =
      "[BLOCKSx]GPUSxMODEL[:RESOURCE] with numbers from 1 to 9999, such as 8xH100, 2x8xH100,"
          + " 4xH100:mig-1g.10gb, or without BLOCKS 4xH100:gpu.shared";

  private static final String REPLICAS = ".shared";

  private static final Pattern TEXT =
      Pattern.compile(
          "(?:([1-9][0-9]{0,3})x)?([1-9][0-9]{0,3})x((?![0-9]+x)[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
              + "(?::(gpu\\.shared|mig-(?:[1-9]c\\.)?[1-9]g\\.[1-9][0-9]*gb(?:[.-][a-z][a-z.]*[a-z])?))?");

  /** Of whole GPUs. */
  public FreeGpuFloor(String model, int blocks, int gpus) {
    this(model, ResourceNames.GPU, blocks, gpus);
  }

  /** Reads {@code 8xH100} or {@code 2x4xH100:mig-1g.10gb}; empty if the text is no such. */
  public static Optional<FreeGpuFloor> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int last = Integer.parseInt(matcher.group(2));
    String model = matcher.group(3);
    String resource =
        matcher.group(4) == null ? ResourceNames.GPU : ResourceNames.PREFIX + matcher.group(4);
    var floor =
        matcher.group(1) == null
            ? new FreeGpuFloor(model, resource, last, 1)
            : new FreeGpuFloor(model, resource, Integer.parseInt(matcher.group(1)), last);
    // Device plugins may refuse pods with several replicas.
    return Optional.of(floor).filter(it -> it.devices() == 1 || !resource.endsWith(REPLICAS));
  }

  /**
   * Whether GPUs of this product are of the model: the words of the model, separated by dashes, are
   * words of the product in the same order and without others between them.
   */
  boolean includes(String product) {
    return ("-" + product + "-")
        .toLowerCase(Locale.ROOT)
        .contains("-" + model.toLowerCase(Locale.ROOT) + "-");
  }

  boolean isOfWholeGpus() {
    return resource.equals(ResourceNames.GPU);
  }

  /** Devices of all blocks. */
  public int allDevices() {
    return blocks * devices;
  }

  /** {@code H100}, or {@code H100:mig-1g.10gb}. */
  public String pool() {
    return isOfWholeGpus() ? model : model + ":" + nameOfParts();
  }

  /** Whether it is of the same model and resource as another one. */
  public boolean isOfPool(FreeGpuFloor other) {
    return model.equalsIgnoreCase(other.model) && resource.equals(other.resource);
  }

  /** {@code 8 H100}, {@code 2 blocks of 8 H100}, or {@code 4 mig-1g.10gb of H100}. */
  public String amount() {
    String all = blocks + (blocks == 1 ? " block of " : " blocks of ");
    String kind = isOfWholeGpus() ? model : nameOfParts() + " of " + model;
    return devices == 1 ? blocks + " " + kind : all + devices + " " + kind;
  }

  /** Several of them for people, with commas in between. */
  static String amounts(List<FreeGpuFloor> some) {
    return String.join(", ", some.stream().map(FreeGpuFloor::amount).toList());
  }

  private String nameOfParts() {
    return resource.substring(ResourceNames.PREFIX.length());
  }

  /** As it is written in the configuration. */
  @Override
  public String toString() {
    return (devices == 1 ? "" : blocks + "x") + (devices == 1 ? blocks : devices) + "x" + pool();
  }
}
