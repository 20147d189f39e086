package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.deviceplugin.allocation.NamePattern;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/** The top of the config file. Confined to one reading. */
final class ConfigFileReading {
  private static final List<String> KEYS =
      List.of("version", "flags", "resources", "sharing", "imex");
  private static final String VERSION = "v1";

  /** Editors of Windows put it before everything. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String file;
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final YamlReader reader = new YamlReader(problems::add);

  ConfigFileReading(String file) {
    this.file = file;
  }

  ConfigFile of(String text) {
    Node root = root(text);
    Map<String, YamlPlace> fields =
        root == null ? Map.of() : reader.fields(new YamlPlace(file, "", root), KEYS);
    checkVersion(fields);
    var flags = new FlagsReading(reader);
    flags.readFlags(fields.get("flags"));
    flags.readImex(fields.get("imex"));
    YamlPlace resources = fields.get("resources");
    Map<String, YamlPlace> names =
        resources == null ? Map.of() : reader.fields(resources, List.of("gpus", "mig"));
    return new ConfigFile(
        flags.given(),
        patterns(names.get("gpus")),
        patterns(names.get("mig")),
        sharing(fields.get("sharing")),
        problems,
        notes);
  }

  private @Nullable Node root(String text) {
    try {
      String plain = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
      // JSON may be indented by tabs, and YAML may not.
      String spaced = plain.stripLeading().startsWith("{") ? plain.replace('\t', ' ') : plain;
      return new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(spaced));
    } catch (MarkedYAMLException e) {
      problems.add(
          file
              + ':'
              + (e.getProblemMark().getLine() + 1)
              + ':'
              + (e.getProblemMark().getColumn() + 1)
              + " is neither YAML nor JSON: "
              + e.getProblem());
    } catch (YAMLException e) {
      problems.add(file + " is neither YAML nor JSON: " + e.getMessage());
    }
    return null;
  }

  private void checkVersion(Map<String, YamlPlace> fields) {
    YamlPlace version = fields.get("version");
    if (version == null) {
      return;
    }
    reader
        .scalar(version, VERSION, Tag.STR)
        .filter(text -> !text.isEmpty() && !text.equals(VERSION))
        .ifPresent(_ -> problems.add(version.mustBe(VERSION)));
  }

  private List<NamePattern> patterns(@Nullable YamlPlace place) {
    if (place == null) {
      return List.of();
    }
    var names = new NameReading(reader);
    return reader.elements(place).stream().flatMap(each -> names.pattern(each).stream()).toList();
  }

  private Sharing sharing(@Nullable YamlPlace place) {
    return place == null ? Sharing.NONE : new SharingReading(reader, notes::add).of(place);
  }
}
