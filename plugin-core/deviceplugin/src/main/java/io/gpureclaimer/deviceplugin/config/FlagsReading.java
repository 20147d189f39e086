package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;

/** The parts of the config file that flags can say too. Confined to one reading. */
final class FlagsReading {
  private static final String FLAGS = "flags";
  private static final List<String> SECTIONS = List.of("plugin", "gfd");

  private final YamlReader reader;
  private final Map<String, Given> given = new LinkedHashMap<>();

  FlagsReading(YamlReader reader) {
    this.reader = reader;
  }

  Map<String, Given> given() {
    return given;
  }

  void readFlags(@Nullable YamlValue place) {
    if (place == null) {
      return;
    }
    List<String> known = new ArrayList<>(keysBelow(FLAGS));
    known.addAll(SECTIONS);
    reader
        .fields(place, known)
        .forEach(
            (key, value) -> {
              if (SECTIONS.contains(key)) {
                reader.fields(value, keysBelow(value.path())).values().forEach(this::read);
              } else {
                read(value);
              }
            });
  }

  void readImex(@Nullable YamlValue place) {
    if (place != null) {
      reader.fields(place, keysBelow(place.path())).values().forEach(this::read);
    }
  }

  /** The last parts of the keys that have nothing more below that section. */
  private static List<String> keysBelow(String section) {
    String start = section + '.';
    return Arrays.stream(Flag.values())
        .flatMap(flag -> flag.key().stream())
        .filter(key -> key.startsWith(start) && key.indexOf('.', start.length()) < 0)
        .map(key -> key.substring(start.length()))
        .toList();
  }

  private void read(YamlValue place) {
    Flag flag =
        Arrays.stream(Flag.values())
            .filter(each -> each.key().equals(Optional.of(place.path())))
            .findFirst()
            .orElseThrow();
    text(flag, place).ifPresent(text -> given.put(place.path(), new Given(text, place.where())));
  }

  private Optional<String> text(Flag flag, YamlValue place) {
    return switch (flag.form()) {
      case TRUTH -> reader.bool(place).map(String::valueOf);
      case TEXT -> reader.text(place);
      case TEXTS -> place.isList() ? list(place, Tag.STR) : reader.text(place);
      case NUMBERS -> list(place, Tag.INT);
      case DURATION -> duration(place);
    };
  }

  private Optional<String> list(YamlValue place, Tag tag) {
    String rule = tag.equals(Tag.INT) ? "a whole number" : "a text";
    return Optional.of(
        reader.elements(place).stream()
            .flatMap(each -> reader.scalar(each, rule, tag).stream())
            .collect(Collectors.joining(",")));
  }

  /** A bare number counts nanoseconds. */
  private Optional<String> duration(YamlValue place) {
    return reader
        .scalar(place, "a duration such as 60s, or infinite", Tag.STR, Tag.INT)
        .map(text -> place.node().getTag().equals(Tag.INT) ? text + "ns" : text);
  }
}
