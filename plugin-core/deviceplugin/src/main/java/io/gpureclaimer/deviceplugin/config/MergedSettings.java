package io.gpureclaimer.deviceplugin.config;

import java.util.List;
import java.util.Map;

/** Settings merged from flags, environment and config file. */
public sealed interface MergedSettings {

  /**
   * All sources are valid.
   *
   * @param notes what has no effect, for people
   */
  record Merged(PluginSettings settings, List<String> notes) implements MergedSettings {
    public Merged {
      notes = List.copyOf(notes);
    }
  }

  /**
   * A source is invalid: the previous settings stay.
   *
   * @param problems each in one line that names the place, the rule and the value; at least one
   */
  record Refused(List<String> problems) implements MergedSettings {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /**
   * The command line goes before the environment, that before the file, and that before what is
   * usual.
   *
   * @param options of the command line by their names, without dashes
   * @param environment everybody's variables; an empty one says nothing
   */
  static MergedSettings of(
      Map<String, String> options, Map<String, String> environment, ConfigFile file) {
    return new SettingsMerge(options, environment, file).merged();
  }
}
