package io.gpureclaimer.nvml.poll;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the kernel's files about GPUs. A file that is missing or malformed reports nothing.
 *
 * @param root where {@code /sys} and {@code /proc} are, as a rule {@code /}
 */
public record KernelFiles(Path root) {
  private static final String DOMAIN_OF_FOUR_DIGITS = "0000";
  private static final Pattern ROW =
      Pattern.compile("gpu(\\d{1,6})/gi(\\d{1,6})/(?:ci(\\d{1,6})/)?access (\\d{1,9})");

  /** The NUMA node of a PCI device; empty where there is none, or only one. */
  OptionalInt numaNode(String pciBusId) {
    String address = pciBusId.toLowerCase(Locale.ROOT);
    if (address.startsWith(DOMAIN_OF_FOUR_DIGITS)) {
      address = address.substring(DOMAIN_OF_FOUR_DIGITS.length());
    }
    return lines("sys/bus/pci/devices/" + address + "/numa_node").stream()
        .map(String::strip)
        .filter(text -> text.matches("\\d{1,6}"))
        .mapToInt(Integer::parseInt)
        .findFirst();
  }

  /** The device files that open MIG instances. */
  MigCaps migCaps() {
    Map<MigCaps.KernelInstance, Integer> minors = new HashMap<>();
    for (String line : lines("proc/driver/nvidia-caps/mig-minors")) {
      Matcher row = ROW.matcher(line.strip());
      if (row.matches()) {
        int compute =
            row.group(3) == null ? MigCaps.WHOLE_INSTANCE : Integer.parseInt(row.group(3));
        minors.put(
            new MigCaps.KernelInstance(
                Integer.parseInt(row.group(1)), Integer.parseInt(row.group(2)), compute),
            Integer.parseInt(row.group(4)));
      }
    }
    return new MigCaps(minors);
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException _) {
      return List.of();
    }
  }

  /**
   * Which {@code /dev/nvidia-caps/nvidia-cap…} opens which MIG instance: the kernel's {@code
   * mig-minors}.
   *
   * @param minors by instance
   */
  record MigCaps(Map<KernelInstance, Integer> minors) {
    static final int WHOLE_INSTANCE = -1;

    MigCaps {
      minors = Map.copyOf(minors);
    }

    /**
     * A GPU instance, or a compute instance in it.
     *
     * @param gpu the GPU's minor number
     * @param gpuInstance its id in the GPU
     * @param computeInstance its id in that; {@link #WHOLE_INSTANCE} for the GPU instance itself
     */
    record KernelInstance(int gpu, int gpuInstance, int computeInstance) {}

    @Nullable Integer of(@Nullable Integer gpu, int gpuInstance) {
      return of(gpu, gpuInstance, WHOLE_INSTANCE);
    }

    @Nullable Integer of(@Nullable Integer gpu, int gpuInstance, int computeInstance) {
      return gpu == null ? null : minors.get(new KernelInstance(gpu, gpuInstance, computeInstance));
    }
  }
}
