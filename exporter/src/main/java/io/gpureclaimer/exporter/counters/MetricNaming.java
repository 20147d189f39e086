package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Generation of metric names: selects the default counters file, and the meaning of names that
 * changed. {@code DCGM_FI_DEV_GPU_UTIL_RATIO} was a percentage in DCGM 4.6 and is a ratio since
 * 4.7. All other names are valid in every generation.
 */
public enum MetricNaming {
  /** dcgm-exporter 4.8.2. */
  CLASSIC("classic"),
  /** The lower-case names of dcgm-exporter 1.x. */
  LEGACY("1.x"),
  /** DCGM 4.7 and dcgm-exporter 4.9: base units. */
  BASE_UNITS("dcgm-4.7");

  private final String text;

  /**
   * Field and unit factor of a name.
   *
   * @param field whose value it is
   * @param factor makes the unit that the name promises of the unit that the field has
   */
  record ScaledField(DcgmField field, double factor) {}

  /**
   * Names of DCGM 4.7 that promise a base unit: hertz, joules, bytes, seconds, ratios. Each is an
   * older field times a factor.
   */
  private static final class BaseUnits {
    private static final Map<String, ScaledField> BY_NAME =
        resource("base-units.tsv")
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("\t", -1))
            .collect(
                Collectors.toUnmodifiableMap(
                    cell -> cell[0],
                    cell ->
                        new ScaledField(
                            DcgmField.of(Integer.parseInt(cell[1])), Double.parseDouble(cell[2]))));
  }

  MetricNaming(String text) {
    this.text = text;
  }

  /** The one called so, if there is one. */
  public static Optional<MetricNaming> named(String text) {
    return Arrays.stream(values()).filter(value -> value.text.equals(text)).findFirst();
  }

  /** What they are called, in a fixed order. */
  public static List<String> names() {
    return Arrays.stream(values()).map(MetricNaming::text).toList();
  }

  /** What it is called. */
  public String text() {
    return text;
  }

  /** The text of the counters file that is served when there is no other. */
  String builtIn() {
    return resource(text + "-counters.csv");
  }

  Optional<ScaledField> find(String name) {
    var field = DcgmField.named(name).map(known -> new ScaledField(known, 1));
    var base = Optional.ofNullable(BaseUnits.BY_NAME.get(name));
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
    known.addAll(BaseUnits.BY_NAME.keySet());
    return known;
  }

  private static String resource(String name) {
    try (var in = Objects.requireNonNull(MetricNaming.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name + " of this program", e);
    }
  }
}
