package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.vocabulary.EditDistance;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What each flag was given, by whomever it was given. */
final class FlagValues {
  private static final String DASHES = "--";

  private final Map<String, String> options;
  private final Map<String, String> environment;
  private final ConfigFile file;

  FlagValues(Map<String, String> options, Map<String, String> environment, ConfigFile file) {
    this.options = options;
    this.environment = environment;
    this.file = file;
  }

  Given of(Flag flag) {
    return given(flag)
        .orElseGet(
            () -> new Given(flag.usual(), DASHES + flag.options().stream().findFirst().orElse("")));
  }

  /** Empty if nobody said anything. */
  Optional<Given> given(Flag flag) {
    return option(flag).or(() -> variable(flag)).or(() -> flag.key().map(file.flags()::get));
  }

  private Optional<Given> option(Flag flag) {
    return flag.options().stream()
        .filter(options::containsKey)
        .map(name -> new Given(options.getOrDefault(name, ""), DASHES + name))
        .findFirst();
  }

  private Optional<Given> variable(Flag flag) {
    return flag.variables().stream()
        .filter(name -> !environment.getOrDefault(name, "").isEmpty())
        .map(name -> new Given(environment.getOrDefault(name, ""), name))
        .findFirst();
  }

  /** What is on the command line and no flag. */
  List<String> unknown() {
    return options.keySet().stream()
        .filter(name -> names().noneMatch(name::equals))
        .sorted()
        .map(FlagValues::unknown)
        .toList();
  }

  private static String unknown(String name) {
    String nearest =
        names().min(Comparator.comparingInt(known -> EditDistance.of(name, known))).orElseThrow();
    return DASHES + name + " is no known option; did you mean " + DASHES + nearest + "?";
  }

  private static Stream<String> names() {
    return Arrays.stream(Flag.values()).flatMap(flag -> flag.options().stream());
  }
}
