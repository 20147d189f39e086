package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The names of DCGM 4.7 that promise a base unit: hertz, joules, bytes, seconds, ratios. To us they
 * are the older fields times a factor, for the driver tells no more.
 */
final class BaseUnits {
  private static final Map<String, Quantity> BY_NAME =
      Resources.text("base-units.tsv")
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .collect(Collectors.toUnmodifiableMap(cell -> cell[0], BaseUnits::quantity));

  private BaseUnits() {}

  static Optional<Quantity> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  static Iterable<String> names() {
    return BY_NAME.keySet();
  }

  private static Quantity quantity(String[] cell) {
    return new Quantity(DcgmField.of(Integer.parseInt(cell[1])), Double.parseDouble(cell[2]));
  }
}
