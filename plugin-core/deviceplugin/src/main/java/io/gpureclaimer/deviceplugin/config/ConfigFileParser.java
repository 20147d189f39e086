package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import io.gpureclaimer.deviceplugin.allocation.NamePattern;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;

/** Parser of the config file. Confined to one parse. */
final class ConfigFileParser {
  private static final List<String> KEYS =
      List.of("version", "flags", "resources", "sharing", "imex");
  private static final String VERSION = "v1";
  private static final String FLAGS = "flags";
  private static final List<String> SECTIONS = List.of("plugin", "gfd");
  private static final String NAME_RULE =
      "the name of a resource, such as gpu or nvidia.com/gpu: at most 63 letters, digits, '-', '_'"
          + " or '.'";

  private final String file;
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final YamlReader reader = new YamlReader(problems::add);
  private final Map<String, FlagValue> flags = new LinkedHashMap<>();

  ConfigFileParser(String file) {
    this.file = file;
  }

  ConfigFile parse(String text) {
    Map<String, YamlValue> fields =
        reader.root(file, text).map(root -> reader.fields(root, KEYS)).orElse(Map.of());
    checkVersion(fields.get("version"));
    readFlags(fields.get(FLAGS));
    YamlValue imex = fields.get("imex");
    if (imex != null) {
      readFlagsBelow(imex);
    }
    YamlValue resources = fields.get("resources");
    Map<String, YamlValue> names =
        resources == null ? Map.of() : reader.fields(resources, List.of("gpus", "mig"));
    YamlValue sharing = fields.get("sharing");
    return new ConfigFile(
        flags,
        patterns(names.get("gpus")),
        patterns(names.get("mig")),
        sharing == null ? Sharing.NONE : new SharingParser(reader, notes::add).parse(sharing),
        problems,
        notes);
  }

  private void checkVersion(@Nullable YamlValue version) {
    if (version != null) {
      reader
          .scalar(version, VERSION, Tag.STR)
          .filter(text -> !text.isEmpty() && !text.equals(VERSION))
          .ifPresent(_ -> problems.add(version.mustBe(VERSION)));
    }
  }

  private void readFlags(@Nullable YamlValue value) {
    if (value == null) {
      return;
    }
    List<String> known = new ArrayList<>(keysBelow(FLAGS));
    known.addAll(SECTIONS);
    reader
        .fields(value, known)
        .forEach(
            (key, flag) -> {
              if (SECTIONS.contains(key)) {
                readFlagsBelow(flag);
              } else {
                readFlag(flag);
              }
            });
  }

  private void readFlagsBelow(YamlValue section) {
    reader.fields(section, keysBelow(section.path())).values().forEach(this::readFlag);
  }

  /** The last parts of the keys directly below that section. */
  private static List<String> keysBelow(String section) {
    String start = section + '.';
    return Arrays.stream(PluginFlag.values())
        .flatMap(flag -> flag.key().stream())
        .filter(key -> key.startsWith(start) && key.indexOf('.', start.length()) < 0)
        .map(key -> key.substring(start.length()))
        .toList();
  }

  private void readFlag(YamlValue value) {
    PluginFlag flag =
        Arrays.stream(PluginFlag.values())
            .filter(each -> each.key().equals(Optional.of(value.path())))
            .findFirst()
            .orElseThrow();
    flagText(flag, value)
        .ifPresent(text -> flags.put(value.path(), new FlagValue(value.where(), text)));
  }

  private Optional<String> flagText(PluginFlag flag, YamlValue value) {
    return switch (flag.type()) {
      case BOOL -> reader.bool(value).map(String::valueOf);
      case TEXT -> reader.text(value);
      case TEXTS -> value.isList() ? list(value, Tag.STR) : reader.text(value);
      case NUMBERS -> list(value, Tag.INT);
      case DURATION -> duration(value);
    };
  }

  private Optional<String> list(YamlValue value, Tag tag) {
    String rule = tag.equals(Tag.INT) ? "a whole number" : "a text";
    return Optional.of(
        reader.elements(value).stream()
            .flatMap(each -> reader.scalar(each, rule, tag).stream())
            .collect(Collectors.joining(",")));
  }

  /** A bare number counts nanoseconds. */
  private Optional<String> duration(YamlValue value) {
    return reader
        .scalar(value, "a duration such as 60s, or infinite", Tag.STR, Tag.INT)
        .map(text -> value.node().getTag().equals(Tag.INT) ? text + "ns" : text);
  }

  private List<NamePattern> patterns(@Nullable YamlValue list) {
    return list == null
        ? List.of()
        : reader.elements(list).stream().flatMap(each -> pattern(each).stream()).toList();
  }

  private Optional<NamePattern> pattern(YamlValue value) {
    Map<String, YamlValue> fields = reader.fields(value, List.of("pattern", "name"));
    Optional<String> pattern = reader.required(value, fields, "pattern").flatMap(reader::text);
    Optional<ResourceName> name =
        reader.required(value, fields, "name").flatMap(it -> resourceName(reader, it));
    return pattern.flatMap(text -> name.map(resource -> new NamePattern(text, resource)));
  }

  /** The name of a resource; one without a domain gets NVIDIA's. */
  static Optional<ResourceName> resourceName(YamlReader reader, YamlValue value) {
    Optional<String> qualified =
        reader.text(value).map(text -> text.contains("/") ? text : ResourceNames.PREFIX + text);
    if (qualified.isPresent() && !ResourceName.isValid(qualified.orElseThrow())) {
      reader.problem(value.mustBe(NAME_RULE));
      return Optional.empty();
    }
    return qualified.map(ResourceName::new);
  }
}
