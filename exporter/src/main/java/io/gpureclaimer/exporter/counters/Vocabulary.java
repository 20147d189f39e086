package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A generation of names. It chooses the file that is served when there is no other, and what the
 * few names mean that changed their meaning: {@code DCGM_FI_DEV_GPU_UTIL_RATIO} was per cent in
 * DCGM 4.6 and is a ratio since 4.7. All other names are understood in every vocabulary.
 */
public enum Vocabulary {
  /** dcgm-exporter 4.8.2. */
  CLASSIC("classic"),
  /** The lower-case names of dcgm-exporter 1.x. */
  LEGACY("1.x"),
  /** DCGM 4.7 and dcgm-exporter 4.9: base units. */
  BASE_UNITS("dcgm-4.7");

  private final String text;

  Vocabulary(String text) {
    this.text = text;
  }

  /** The one called so, if there is one. */
  public static Optional<Vocabulary> named(String text) {
    return Arrays.stream(values()).filter(value -> value.text.equals(text)).findFirst();
  }

  /** What they are called, in a fixed order. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Vocabulary::text).toList();
  }

  /** What it is called. */
  public String text() {
    return text;
  }

  /** The text of the counters file that is served when there is no other. */
  String builtIn() {
    return Resources.text(text + "-counters.csv");
  }

  Optional<Quantity> find(String name) {
    var field = DcgmField.named(name).map(known -> new Quantity(known, 1));
    var base = BaseUnits.named(name);
    return this == BASE_UNITS ? base.or(() -> field) : field.or(() -> base);
  }

  /** All names that are understood. */
  static List<String> known() {
    var known = new ArrayList<String>();
    for (DcgmField field : DcgmField.all()) {
      known.add(field.metricName());
      field.newName().ifPresent(known::add);
      field.legacyName().ifPresent(known::add);
    }
    BaseUnits.names().forEach(known::add);
    return known;
  }
}
