package io.gpureclaimer.reclaimer.evidence.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser.Parsed;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser.Parsed.Malformed;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser.Parsed.Samples;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpositionParserTest {

  @Test
  void readsWhatAnAgentServes() {
    assertThat(
            read(
                """
                # HELP a Free text with "quotes" and \\ and {braces}.
                # TYPE a gauge

                #
                a 1
                a{} 2
                a{x="1"} 3
                a { x = "1" , y="2", } 4.5e+3 1795240800000
                \ta\t{x="}\\"\\\\\\n,"}\t-0.5\t
                b 9
                """))
        .isEqualTo(
            new Samples(
                List.of(
                    sample(Map.of(), 1),
                    sample(Map.of(), 2),
                    sample(Map.of("x", "1"), 3),
                    sample(Map.of("x", "1", "y", "2"), 4_500),
                    sample(Map.of("x", "}\"\\\n,"), -0.5))));
  }

  @Test
  void readsNothing_whereNothingIs() {
    assertThat(read("")).isEqualTo(new Samples(List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "NaN, NaN",
    "+Inf, Infinity",
    "Inf, Infinity",
    "-Inf, -Infinity",
    "1.795240800123E9, 1795240800.123",
    "+1, 1",
    ".5, 0.5",
    "5., 5",
    "1e-3, 0.001"
  })
  void readsEveryFormOfNumber(String text, double value) {
    assertThat(read("a " + text + "\n")).isEqualTo(new Samples(List.of(sample(Map.of(), value))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a ",
        "a 0x1p3",
        "a 1d",
        "a 1_000",
        "a Infinity",
        "a nan",
        "a 1 2 3",
        "a 1 1.5",
        "a 1\r",
        "1a 1",
        "a-b 1",
        "{x=\"1\"} 1",
        "a{x=\"1\" 1",
        "a{x=\"1} 1",
        "a{x=\"1\\t\"} 1",
        "a{x=\"\\",
        "a{x=1} 1",
        "a{x} 1",
        "a{,} 1",
        "a{x=\"1\"y=\"2\"} 1",
        "a{x=\"1\",,} 1",
        "a{x:y=\"1\"} 1",
        "a{x=\"1\",x=\"2\"} 1",
        "a{x=\"1\"}",
        "ä 1",
        "<!DOCTYPE html>"
      })
  void believesNothing_whenALineIsMalformed(String line) {
    assertThat(read("a 1\n" + line + "\na 2\n"))
        .isInstanceOfSatisfying(
            Malformed.class, malformed -> assertThat(malformed.line()).isEqualTo(2));
  }

  @Test
  void saysWhereALineIsMalformed() {
    assertThat(read("a{x=1} 1\n")).isEqualTo(new Malformed(1, "\" at column 5"));
  }

  @Test
  void believesNothing_whenTheTextIsCutOff() {
    assertThat(read("a 1\na 17"))
        .isEqualTo(new Malformed(2, "an end of line: the text was cut off"));
  }

  @Property
  void hasAnAnswerToAnyText(@ForAll String text) {
    assertThat(read(text)).isNotNull();
    assertThat(read(text + "\n")).isNotNull();
  }

  @Property
  void hasAnAnswerToAnyTextThatLooksLikeMetrics(@ForAll("almostMetrics") String text) {
    assertThat(read(text + "\n")).isNotNull();
  }

  @Provide
  Arbitrary<String> almostMetrics() {
    return Arbitraries.of(
            "a", "{", "}", "x", "=", "\"", "\\", "n", ",", " ", "\n", "1", ".", "e", "-")
        .list()
        .ofMaxSize(25)
        .map(parts -> String.join("", parts));
  }

  @Property
  void readsBackWhatWasWritten(@ForAll("labels") Map<String, String> labels, @ForAll double value) {
    String text = ExposedSeries.text(List.of(new ExposedSeries("a", labels, value)));

    assertThat(read(text)).isEqualTo(new Samples(List.of(sample(labels, value))));
  }

  @Provide
  Arbitrary<Map<String, String>> labels() {
    Arbitrary<String> values =
        Arbitraries.oneOf(
            Arbitraries.strings(),
            Arbitraries.strings().withChars("\"\\\n{},= n\u00fc\u2028\ud83d\ude80\r\t\u0000"));
    return Arbitraries.maps(
            Arbitraries.strings().withCharRange('a', 'z').withChars("AZ_").ofMinLength(1), values)
        .ofMaxSize(5);
  }

  private static Parsed read(String text) {
    return ExpositionParser.parse(text, Set.of("a"), Instant.EPOCH);
  }

  private static MetricSample sample(Map<String, String> labels, double value) {
    Map<String, String> named = new HashMap<>(labels);
    named.put("__name__", "a");
    return new MetricSample(named, value, Instant.EPOCH);
  }
}
