package io.gpureclaimer.reclaimer.plan;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many GPUs of a model are kept free, so that the next pod need not wait.
 *
 * @param model words of the node label {@code nvidia.com/gpu.product}, such as {@code H100}
 * @param blocks how many times
 * @param gpus GPUs of one block, all on one node
 */
public record FreeGpuFloor(String model, int blocks, int gpus) {
  /** Grammar, for people. */
  public static final String GRAMMAR =
      "[BLOCKSx]GPUSxMODEL with numbers from 1 to 9999, such as 8xH100 or 2x8xH100";

  private static final Pattern TEXT =
      Pattern.compile(
          "(?:([1-9][0-9]{0,3})x)?([1-9][0-9]{0,3})x((?![0-9]+x)[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)");

  /** Reads {@code 8xH100} or {@code 2x8xH100}; empty if the text is neither. */
  public static Optional<FreeGpuFloor> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int last = Integer.parseInt(matcher.group(2));
    String model = matcher.group(3);
    return Optional.of(
        matcher.group(1) == null
            ? new FreeGpuFloor(model, last, 1)
            : new FreeGpuFloor(model, Integer.parseInt(matcher.group(1)), last));
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

  /** GPUs of all blocks. */
  public int allGpus() {
    return blocks * gpus;
  }

  /** Whether it is the same model as that of another one. */
  public boolean isOfModel(FreeGpuFloor other) {
    return model.equalsIgnoreCase(other.model);
  }

  /** {@code 8 H100}, or {@code 2 blocks of 8 H100}. */
  public String amount() {
    String all = blocks + (blocks == 1 ? " block of " : " blocks of ");
    return gpus == 1 ? blocks + " " + model : all + gpus + " " + model;
  }

  /** Several of them for people, with commas in between. */
  static String amounts(List<FreeGpuFloor> some) {
    return String.join(", ", some.stream().map(FreeGpuFloor::amount).toList());
  }

  /** As it is written in the configuration. */
  @Override
  public String toString() {
    return (gpus == 1 ? "" : blocks + "x") + (gpus == 1 ? blocks : gpus) + "x" + model;
  }
}
