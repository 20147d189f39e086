package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.deviceplugin.allocation.NamePattern;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import java.util.List;
import java.util.Map;

/**
 * NVIDIA's config file of version v1.
 *
 * @param flags the settings that flags can make too, by their keys
 * @param gpuNames the resources of whole GPUs by model
 * @param migNames the resources of MIG devices by profile
 * @param sharing what is shared
 * @param problems each names the line, the rule and the value; none if all is understood
 * @param notes what is understood and has no effect
 */
public record ConfigFile(
    Map<String, FlagValue> flags,
    List<NamePattern> gpuNames,
    List<NamePattern> migNames,
    Sharing sharing,
    List<String> problems,
    List<String> notes) {
  /** There is none. */
  public static final ConfigFile NONE =
      new ConfigFile(Map.of(), List.of(), List.of(), Sharing.NONE, List.of(), List.of());

  public ConfigFile {
    flags = Map.copyOf(flags);
    gpuNames = List.copyOf(gpuNames);
    migNames = List.copyOf(migNames);
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /**
   * Reads YAML or JSON. An empty file says nothing, and that is no mistake.
   *
   * @param name of the file, for messages
   * @param text all of it
   */
  public static ConfigFile parse(String name, String text) {
    return new ConfigFileParser(name).parse(text);
  }
}
