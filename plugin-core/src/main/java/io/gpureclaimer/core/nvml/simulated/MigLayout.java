package io.gpureclaimer.core.nvml.simulated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How MIG divides a simulated card.
 *
 * @param isOn whether MIG is on; without instances it may still be
 * @param instances one for each GPU instance, with one compute instance in it
 */
public record MigLayout(boolean isOn, List<Size> instances) {
  /** The card is whole. */
  public static final MigLayout OFF = new MigLayout(false, List.of());

  private static final int SLICES = 7;
  private static final Pattern SIZE = Pattern.compile("([1-7])g\\.([1-9]\\d{0,3})gb");

  /** The first id that the driver gives to an instance of so many slices. */
  private static final Map<Integer, Integer> FIRST_ID =
      Map.of(1, 7, 2, 3, 3, 1, 4, 1, 5, 1, 6, 1, 7, 0);

  public MigLayout {
    instances = List.copyOf(instances);
    int slices = instances.stream().mapToInt(Size::slices).sum();
    if (slices > SLICES) {
      throw new IllegalArgumentException(
          "instances must have at most " + SLICES + " slices, had " + slices);
    }
  }

  /** The size of one instance; its memory in GiB is rounded up, as its name has it. */
  record Size(int slices, int gib) {}

  /** One instance with the id that the driver gives it. */
  record Numbered(int id, Size size) {}

  /**
   * MIG is on, with instances of these sizes.
   *
   * @param sizes such as {@code 1g.10gb}
   * @throws IllegalArgumentException if one is none, or they are more than a card has
   */
  public static MigLayout of(List<String> sizes) {
    return new MigLayout(true, sizes.stream().map(MigLayout::size).toList());
  }

  /** Instances with ids as on a card: 0 for a whole one, 7 and up for the smallest. */
  List<Numbered> numbered() {
    Map<Integer, Integer> next = new HashMap<>(FIRST_ID);
    List<Numbered> numbered = new ArrayList<>();
    for (Size size : instances) {
      int id = next.getOrDefault(size.slices(), 0);
      numbered.add(new Numbered(id, size));
      next.replaceAll((_, free) -> free == id ? id + 1 : free);
    }
    return numbered;
  }

  private static Size size(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw new IllegalArgumentException("a size must look like 1g.10gb, was \"" + text + '"');
    }
    return new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)));
  }
}
