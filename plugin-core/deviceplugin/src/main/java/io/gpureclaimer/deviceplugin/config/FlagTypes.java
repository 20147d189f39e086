package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.common.time.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The values of flags as what they stand for; tells each that stands for nothing. */
final class FlagTypes {
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE", "t", "T", "1");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE", "f", "F", "0");

  private final FlagValues values;
  private final Set<String> problems = new LinkedHashSet<>();

  FlagTypes(FlagValues values) {
    this.values = values;
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  void mustBe(Flag flag, String rule) {
    Given given = values.of(flag);
    problems.add(given.origin() + " must be " + rule + ", was \"" + given.text() + '"');
  }

  String text(Flag flag) {
    return values.of(flag).text().strip();
  }

  /** Whatever stands between commas. */
  List<String> texts(Flag flag) {
    return Stream.of(text(flag).split(",", -1))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  boolean truth(Flag flag) {
    String text = text(flag);
    if (!TRUE.contains(text) && !FALSE.contains(text)) {
      mustBe(flag, "true or false");
    }
    return TRUE.contains(text);
  }

  /** One of them; the first if it was none. */
  <T> T choice(Flag flag, T[] all, Function<T, String> spelling) {
    Optional<T> chosen = spelled(text(flag), all, spelling);
    if (chosen.isEmpty()) {
      mustBe(flag, "one of " + spellings(all, spelling));
    }
    return chosen.orElse(all[0]);
  }

  /** At least one of them. */
  <T> Set<T> choices(Flag flag, T[] all, Function<T, String> spelling) {
    var chosen = new LinkedHashSet<T>();
    List<String> texts = texts(flag);
    texts.forEach(text -> spelled(text, all, spelling).ifPresent(chosen::add));
    if (chosen.isEmpty() || chosen.size() < Set.copyOf(texts).size()) {
      mustBe(flag, "one or several of " + spellings(all, spelling) + ", separated by commas");
    }
    return chosen.isEmpty() ? Set.of(all[0]) : chosen;
  }

  private static <T> Optional<T> spelled(String text, T[] all, Function<T, String> spelling) {
    return Arrays.stream(all).filter(each -> spelling.apply(each).equals(text)).findFirst();
  }

  private static <T> String spellings(T[] all, Function<T, String> spelling) {
    return Arrays.stream(all).map(spelling).collect(Collectors.joining(", "));
  }

  /** A place of the file system; empty if nothing was said. */
  Optional<Path> path(Flag flag) {
    String text = text(flag);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
      mustBe(flag, "an absolute path");
      return Optional.empty();
    }
    return Optional.of(Path.of(text));
  }

  /** The same where there has to be one. */
  Path place(Flag flag) {
    Optional<Path> path = path(flag);
    if (text(flag).isEmpty()) {
      mustBe(flag, "an absolute path");
    }
    return path.orElse(Path.of("/"));
  }

  /** Empty for never. */
  Optional<Duration> interval(Flag flag) {
    String text = text(flag);
    if (text.equals("infinite")) {
      return Optional.empty();
    }
    Optional<Duration> parsed = Durations.parseGo(text);
    if (parsed.isEmpty()) {
      mustBe(flag, "a duration such as 60s or 1h30m, or infinite");
    }
    return parsed;
  }
}
