package io.gpureclaimer.doctor;

import java.util.List;
import java.util.stream.Collectors;

/** Texts about several things of a kind. */
final class Plurals {
  private Plurals() {}

  /** {@code 1 GPU}, {@code 8 GPUs}. */
  static String of(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** {@code GPU 3}, {@code GPUs 0, 1, 2}. */
  static String gpus(List<Integer> indices) {
    return (indices.size() == 1 ? "GPU " : "GPUs ")
        + indices.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
