package io.gpureclaimer.common.flags;

import io.gpureclaimer.common.time.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Value of a flag as it was written, and its conversions. Each conversion throws {@link
 * InvalidFlag} if the value breaks the rule.
 *
 * @param source flag, environment variable or place in a file that has the value
 * @param text several values are joined by commas
 */
public record FlagValue(String source, String text) {
  private static final String DASHES = "--";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE", "t", "T", "1");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE", "f", "F", "0");

  /**
   * The value on the command line, else in the environment.
   *
   * @param options values on the command line by name, without dashes
   * @param names of the flag, without dashes, the one that wins first
   * @param environment a blank variable counts as not set
   * @param variables the one that wins first
   */
  public static Optional<FlagValue> find(
      Map<String, String> options,
      Collection<String> names,
      Map<String, String> environment,
      Collection<String> variables) {
    return names.stream()
        .filter(options::containsKey)
        .map(name -> new FlagValue(DASHES + name, options.getOrDefault(name, "")))
        .findFirst()
        .or(() -> variable(environment, variables));
  }

  /** The first of these environment variables that is set to more than blanks. */
  public static Optional<FlagValue> variable(
      Map<String, String> environment, Collection<String> names) {
    return names.stream()
        .map(name -> new FlagValue(name, environment.getOrDefault(name, "")))
        .filter(value -> !value.text().isBlank())
        .findFirst();
  }

  /** A problem that says which rule the value breaks. */
  public InvalidFlag invalid(String rule) {
    return new InvalidFlag(source + " " + rule + ", was \"" + text + '"');
  }

  /** A boolean in the spellings that programs in Go take. */
  public boolean bool() {
    String word = text.strip();
    if (!TRUE.contains(word) && !FALSE.contains(word)) {
      throw invalid("must be true or false");
    }
    return TRUE.contains(word);
  }

  /** Whether it is one of the spellings of false. */
  public boolean isFalse() {
    return FALSE.contains(text);
  }

  public int integer(String unit, int least, int most) {
    int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
    if (number < least || number > most) {
      throw invalid("must be a whole number of " + unit + " from " + least + " to " + most);
    }
    return number;
  }

  /** One of these values. */
  public String oneOf(List<String> choices) {
    return choice(choices, Function.identity());
  }

  /** The one of {@code all} that is spelled so. */
  public <T> T choice(List<T> all, Function<T, String> spelling) {
    return spelled(text.strip(), all, spelling)
        .orElseThrow(() -> invalid("must be one of " + spellings(all, spelling)));
  }

  /** At least one of {@code all}. */
  public <T> Set<T> choices(List<T> all, Function<T, String> spelling) {
    var chosen = new LinkedHashSet<T>();
    List<String> texts = list();
    texts.forEach(each -> spelled(each, all, spelling).ifPresent(chosen::add));
    if (chosen.isEmpty() || chosen.size() < Set.copyOf(texts).size()) {
      throw invalid(
          "must be one or several of " + spellings(all, spelling) + ", separated by commas");
    }
    return chosen;
  }

  private static <T> Optional<T> spelled(String text, List<T> all, Function<T, String> spelling) {
    return all.stream().filter(each -> spelling.apply(each).equals(text)).findFirst();
  }

  private static <T> String spellings(List<T> all, Function<T, String> spelling) {
    return all.stream().map(spelling).collect(Collectors.joining(", "));
  }

  /** The values between commas, without blanks around them and without empty ones. */
  public List<String> list() {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  /** A path, which need not exist yet: drivers and files may come later. */
  public String path() {
    if (text.isBlank() || text.indexOf('\0') >= 0) {
      throw invalid("must be a path");
    }
    return text;
  }

  public Path absolutePath() {
    String path = text.strip();
    if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
      throw invalid("must be an absolute path");
    }
    return Path.of(path);
  }

  /** A duration as Go writes it: {@code 10s}, {@code 1m30s}, {@code 1.5s}, {@code 0}. */
  public Duration duration() {
    return Durations.parseGo(text)
        .orElseThrow(() -> invalid("must be a duration like 500ms, 1.5s or 1m30s"));
  }

  /** The value if the text has this form. */
  public String matching(Pattern form, String rule) {
    if (!form.matcher(text.strip()).matches()) {
      throw invalid(rule);
    }
    return text.strip();
  }

  /**
   * A flag, variable or key has a value that cannot be honored; the message is one line for users.
   */
  public static final class InvalidFlag extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String problem;

    InvalidFlag(String problem) {
      super(problem);
      this.problem = problem;
    }

    /** Which flag, the rule, and the value that was found. */
    public String problem() {
      return problem;
    }
  }
}
