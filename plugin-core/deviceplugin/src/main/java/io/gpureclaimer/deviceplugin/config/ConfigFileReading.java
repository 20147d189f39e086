package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.common.yaml.YamlValue;
import io.gpureclaimer.deviceplugin.allocation.NamePattern;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Tag;

/** The top of the config file. Confined to one reading. */
final class ConfigFileReading {
  private static final List<String> KEYS =
      List.of("version", "flags", "resources", "sharing", "imex");
  private static final String VERSION = "v1";

  private final String file;
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final YamlReader reader = new YamlReader(problems::add);

  ConfigFileReading(String file) {
    this.file = file;
  }

  ConfigFile of(String text) {
    Map<String, YamlValue> fields =
        reader.root(file, text).map(root -> reader.fields(root, KEYS)).orElse(Map.of());
    checkVersion(fields);
    var flags = new FlagsReading(reader);
    flags.readFlags(fields.get("flags"));
    flags.readImex(fields.get("imex"));
    YamlValue resources = fields.get("resources");
    Map<String, YamlValue> names =
        resources == null ? Map.of() : reader.fields(resources, List.of("gpus", "mig"));
    return new ConfigFile(
        flags.given(),
        patterns(names.get("gpus")),
        patterns(names.get("mig")),
        sharing(fields.get("sharing")),
        problems,
        notes);
  }

  private void checkVersion(Map<String, YamlValue> fields) {
    YamlValue version = fields.get("version");
    if (version == null) {
      return;
    }
    reader
        .scalar(version, VERSION, Tag.STR)
        .filter(text -> !text.isEmpty() && !text.equals(VERSION))
        .ifPresent(_ -> problems.add(version.mustBe(VERSION)));
  }

  private List<NamePattern> patterns(@Nullable YamlValue place) {
    if (place == null) {
      return List.of();
    }
    var names = new NameReading(reader);
    return reader.elements(place).stream().flatMap(each -> names.pattern(each).stream()).toList();
  }

  private Sharing sharing(@Nullable YamlValue place) {
    return place == null ? Sharing.NONE : new SharingReading(reader, notes::add).of(place);
  }
}
