package io.gpureclaimer.simulator;

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
  private static final Pattern SIZE =
      Pattern.compile("(?:([1-7])c\\.)?([1-7])g\\.([1-9]\\d{0,3})gb(\\+[a-z.]+)?");

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

  /**
   * The size of one instance.
   *
   * @param computeSlices those of its compute instance; as many as {@code slices} for all of it
   * @param gib its memory, rounded up, as its name has it
   * @param variant what follows that in its name, such as {@code +me}; often empty
   */
  record Size(int computeSlices, int slices, int gib, String variant) {
    String profile() {
      String part = computeSlices == slices ? "" : computeSlices + "c.";
      return part + slices + "g." + gib + "gb" + variant;
    }
  }

  /** One instance with the id that the driver gives it. */
  record Numbered(int id, Size size) {}

  /**
   * MIG is on, with instances of these sizes.
   *
   * @param sizes such as {@code 1g.10gb}, {@code 1g.10gb+me} or {@code 1c.2g.20gb}
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
    int slices = Integer.parseInt(size.group(2));
    int computeSlices = size.group(1) == null ? slices : Integer.parseInt(size.group(1));
    String variant = size.group(4) == null ? "" : size.group(4);
    return new Size(computeSlices, slices, Integer.parseInt(size.group(3)), variant);
  }
}
