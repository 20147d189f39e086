package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpureclaimer.exporter.sample.Holder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodsFileParserTest {
  private static final String FILE = "pods.yaml";
  private static final String GPU = "GPU-a";

  @Test
  void readsYaml() {
    String yaml =
        """
        - device: GPU-a
          namespace: ml
          pod: train-0
          container: main
          uid: 0f3c
        - {device: GPU-a, namespace: ml, pod: train-1, container: main}
        """;
    assertThat(PodsFileParser.parse(FILE, yaml))
        .isEqualTo(
            Map.of(
                GPU,
                List.of(
                    new Holder("ml", "train-0", "main", "0f3c"),
                    new Holder("ml", "train-1", "main", null))));
  }

  @Test
  void readsJson() {
    String json =
        """
        [{"device": "GPU-a", "namespace": "ml", "pod": "train-0", "container": "main"}]
        """;
    assertThat(PodsFileParser.parse(FILE, json))
        .isEqualTo(Map.of(GPU, List.of(new Holder("ml", "train-0", "main", null))));
  }

  @Test
  void takesEveryScalarForText() {
    assertThat(
            PodsFileParser.parse(
                FILE, "- {device: GPU-a, namespace: 1234, pod: true, container: 1e3, uid: 12e4}"))
        .isEqualTo(Map.of(GPU, List.of(new Holder("1234", "true", "1e3", "12e4"))));
  }

  @Test
  void takesAnEmptyListForNoHolder() {
    assertThat(PodsFileParser.parse(FILE, "[]")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing", "null"})
  void refusesAnEmptyFile_whichMayBeOneThatIsBeingWritten(String text) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> PodsFileParser.parse(FILE, text))
        .withMessage("pods.yaml must be a list, was empty; [] is an empty list");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "- ", "- {device: [%s]}", "- {%s: 1}", "- !<%s> x", "{%s: 1}"})
  void shortensWhatItFound(String form) {
    String text =
        form.contains("%s") ? form.replace("%s", "x".repeat(5_000)) : form + "y".repeat(5_000);

    var violation =
        catchThrowableOfType(
            IllegalArgumentException.class, () -> PodsFileParser.parse(FILE, text));

    assertThat(violation.getMessage()).hasSizeLessThan(300);
  }

  @Test
  void refusesListsOfAliases_whichNeverUnfold() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> PodsFileParser.parse(FILE, "- &a [x, x]\n- [*a, *a]\n"))
        .withMessage("pods.yaml:1:3: [0] must be a mapping, was a list of 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: b                                                  | pods.yaml:1:1 must be a list, was a mapping with the keys a
          - just text                                           | pods.yaml:1:3: [0] must be a mapping, was "just text"
          - {device: GPU-a, namespace: n, pod: p, container: c, gpu: 1} | pods.yaml:1:55: [0].gpu is no known key
          - {device: GPU-a, namespace: n, container: c}         | pods.yaml:1:3: [0].pod must be given, was not
          - {device: GPU-a, namespace: n, pod: '', container: c} | pods.yaml:1:38: [0].pod must be a non-empty text, was ""
          - {device: [x], namespace: n, pod: p, container: c}   | pods.yaml:1:12: [0].device must be a non-empty text, was a list of 1
          - {device: a, device: b}                              | pods.yaml:1:15: [0].device must be given once
          - {device: GPU-a                                      | is neither YAML nor JSON
          """)
  void namesEntryRuleAndValue_whenTheFileIsBad(String text, String expected) {
    var violation =
        catchThrowableOfType(
            IllegalArgumentException.class, () -> PodsFileParser.parse(FILE, text));

    assertThat(violation.getMessage()).contains(expected.strip()).doesNotContain("\n");
  }
}
