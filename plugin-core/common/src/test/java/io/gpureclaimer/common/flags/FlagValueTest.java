package io.gpureclaimer.common.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.flags.FlagValue.InvalidFlag;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FlagValueTest {
  private static final List<String> NAMES = List.of("size", "old-size");
  private static final List<String> VARIABLES = List.of("SIZE", "OLD_SIZE");

  private static FlagValue value(String text) {
    return new FlagValue("--x", text);
  }

  @Test
  void theCommandLineGoesBeforeTheEnvironment() {
    assertThat(FlagValue.find(Map.of("old-size", "1"), NAMES, Map.of("SIZE", "2"), VARIABLES))
        .contains(new FlagValue("--old-size", "1"));
    assertThat(FlagValue.find(Map.of(), NAMES, Map.of("SIZE", " ", "OLD_SIZE", "2"), VARIABLES))
        .contains(new FlagValue("OLD_SIZE", "2"));
    assertThat(FlagValue.find(Map.of(), NAMES, Map.of(), VARIABLES)).isEmpty();
  }

  @Test
  void convertsValidValues() {
    assertThat(value("T").bool()).isTrue();
    assertThat(value("0").bool()).isFalse();
    assertThat(value("7").integer("ms", 1, 7)).isEqualTo(7);
    assertThat(value("b").oneOf(List.of("a", "b"))).isEqualTo("b");
    assertThat(value("a, c").choices(List.of("a", "b", "c"), Function.identity()))
        .isEqualTo(Set.of("a", "c"));
    assertThat(value(" a ,, b").list()).containsExactly("a", "b");
    assertThat(value("a/b").path()).isEqualTo("a/b");
    assertThat(value("/a").absolutePath()).isEqualTo(Path.of("/a"));
    assertThat(value("1m30s").duration()).isEqualTo(Duration.ofSeconds(90));
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        Arguments.of("yes", conversion(FlagValue::bool), "must be true or false"),
        Arguments.of(
            "8",
            conversion(value -> value.integer("ms", 1, 7)),
            "must be a whole number of ms from 1 to 7"),
        Arguments.of(
            "c", conversion(value -> value.oneOf(List.of("a", "b"))), "must be one of a, b"),
        Arguments.of(
            "a,x",
            conversion(value -> value.choices(List.of("a", "b"), Function.identity())),
            "must be one or several of a, b, separated by commas"),
        Arguments.of(" ", conversion(FlagValue::path), "must be a path"),
        Arguments.of("a", conversion(FlagValue::absolutePath), "must be an absolute path"),
        Arguments.of(
            "1d", conversion(FlagValue::duration), "must be a duration like 500ms, 1.5s or 1m30s"),
        Arguments.of(
            "B",
            conversion(value -> value.matching(Pattern.compile("[a-z]"), "must be a letter")),
            "must be a letter"));
  }

  private static Function<FlagValue, Object> conversion(Function<FlagValue, Object> conversion) {
    return conversion;
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("invalid")
  void reportsSourceRuleAndValue(String text, Function<FlagValue, Object> conversion, String rule) {
    assertThatThrownBy(() -> conversion.apply(value(text)))
        .isInstanceOf(InvalidFlag.class)
        .hasMessage("--x " + rule + ", was \"" + text + '"');
  }
}
