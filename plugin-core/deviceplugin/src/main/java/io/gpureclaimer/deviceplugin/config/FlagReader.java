package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.common.flags.FlagValue.InvalidFlag;
import io.gpureclaimer.common.vocabulary.EditDistance;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reader of the plugin's flags. The command line goes before the environment, that before the
 * config file, and that before the default. Collects the problems instead of stopping at the first.
 * Confined to one merge.
 */
final class FlagReader {
  private static final String DASHES = "--";

  private final Map<String, String> options;
  private final Map<String, String> environment;
  private final ConfigFile file;
  private final Set<String> problems = new LinkedHashSet<>();

  FlagReader(Map<String, String> options, Map<String, String> environment, ConfigFile file) {
    this.options = options;
    this.environment = environment;
    this.file = file;
  }

  /** The problems of all that was read so far. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** The value that was given; empty if only the default holds. */
  Optional<FlagValue> given(PluginFlag flag) {
    return FlagValue.find(options, flag.options(), environment, flag.variables())
        .or(() -> flag.key().map(file.flags()::get));
  }

  FlagValue value(PluginFlag flag) {
    return given(flag)
        .orElseGet(() -> new FlagValue(DASHES + flag.options().getFirst(), flag.defaultValue()));
  }

  /** The converted value; {@code fallback} if it breaks a rule, which is a problem. */
  <T> T read(PluginFlag flag, Function<FlagValue, T> conversion, T fallback) {
    try {
      return conversion.apply(value(flag));
    } catch (InvalidFlag e) {
      problems.add(e.problem());
      return fallback;
    }
  }

  boolean bool(PluginFlag flag) {
    return read(flag, FlagValue::bool, false);
  }

  /** An absolute path; empty if the value is. */
  Optional<Path> path(PluginFlag flag) {
    return value(flag).text().isBlank()
        ? Optional.empty()
        : read(flag, value -> Optional.of(value.absolutePath()), Optional.empty());
  }

  /** An absolute path that has to be there. */
  Path requiredPath(PluginFlag flag) {
    return read(flag, FlagValue::absolutePath, Path.of("/"));
  }

  <T> T choice(PluginFlag flag, T[] all, Function<T, String> spelling) {
    return read(flag, value -> value.choice(List.of(all), spelling), all[0]);
  }

  <T> Set<T> choices(PluginFlag flag, T[] all, Function<T, String> spelling) {
    return read(flag, value -> value.choices(List.of(all), spelling), Set.of(all[0]));
  }

  void mustBe(PluginFlag flag, String rule) {
    problems.add(value(flag).invalid("must be " + rule).problem());
  }

  /** A problem for each option of the command line that is not a flag. */
  List<String> unknownOptions() {
    return options.keySet().stream()
        .filter(name -> names().noneMatch(name::equals))
        .sorted()
        .map(FlagReader::unknown)
        .toList();
  }

  private static String unknown(String name) {
    String nearest =
        names().min(Comparator.comparingInt(known -> EditDistance.of(name, known))).orElseThrow();
    return DASHES + name + " is no known option; did you mean " + DASHES + nearest + "?";
  }

  private static Stream<String> names() {
    return Arrays.stream(PluginFlag.values()).flatMap(flag -> flag.options().stream());
  }
}
