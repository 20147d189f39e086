package io.gpureclaimer.reclaimer.rightsize;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * MIG profiles of a GPU, by its model and memory. Their names are computed as NVIDIA's device
 * plugin does: eighths of the memory in GiB, rounded.
 */
final class MigProfiles {
  private static final double EIGHTHS = 8;
  private static final double MEBIBYTES_PER_GIBIBYTE = 1_024;

  /** GPUs that MIG divides into seven compute slices. */
  private static final List<String> SEVEN =
      List.of("A100", "A800", "H100", "H800", "H200", "H20", "GH200", "B200", "GB200");

  private static final List<String> FOUR = List.of("A30");

  private MigProfiles() {}

  /**
   * A profile.
   *
   * @param name such as {@code 1g.10gb}
   * @param computeShare share of the GPU's multiprocessors
   * @param mebibytes memory
   */
  record MigProfile(String name, double computeShare, double mebibytes) {}

  private record MigSlice(int compute, int memoryEighths) {}

  private static final List<MigSlice> OF_SEVEN =
      List.of(new MigSlice(1, 1), new MigSlice(2, 2), new MigSlice(3, 4), new MigSlice(4, 4));
  private static final List<MigSlice> OF_FOUR = List.of(new MigSlice(1, 2), new MigSlice(2, 4));

  /**
   * The smallest profile that has both; empty if only the whole GPU has, or MIG does not divide it.
   */
  static Optional<MigProfile> smallest(
      String model, double totalMebibytes, double neededMebibytes, double neededShare) {
    return profiles(model, totalMebibytes)
        .filter(profile -> profile.mebibytes() >= neededMebibytes)
        .filter(profile -> profile.computeShare() >= neededShare)
        .findFirst();
  }

  /** From the smallest on, without the whole GPU. */
  private static Stream<MigProfile> profiles(String model, double totalMebibytes) {
    List<String> words = List.of(model.split("[ -]", -1));
    if (SEVEN.stream().anyMatch(words::contains)) {
      return OF_SEVEN.stream().map(slice -> profile(slice, 7, totalMebibytes));
    }
    return FOUR.stream().anyMatch(words::contains)
        ? OF_FOUR.stream().map(slice -> profile(slice, 4, totalMebibytes))
        : Stream.of();
  }

  private static MigProfile profile(MigSlice slice, int slices, double totalMebibytes) {
    double share = slice.memoryEighths() / EIGHTHS;
    long gibibytes = Math.round(share * Math.ceil(totalMebibytes / MEBIBYTES_PER_GIBIBYTE));
    return new MigProfile(
        slice.compute() + "g." + gibibytes + "gb",
        (double) slice.compute() / slices,
        share * totalMebibytes);
  }
}
