package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpureclaimer.exporter.attribution.PodsFileGrammar.Violation;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodsFileGrammarTest {
  private static final String GPU = "GPU-a";

  @Test
  void readsYaml() throws Violation {
    String yaml =
        """
        - device: GPU-a
          namespace: ml
          pod: train-0
          container: main
          uid: 0f3c
        - {device: GPU-a, namespace: ml, pod: train-1, container: main}
        """;
    assertThat(PodsFileGrammar.parse(yaml))
        .isEqualTo(
            Map.of(
                GPU,
                List.of(
                    new Holder("ml", "train-0", "main", "0f3c"),
                    new Holder("ml", "train-1", "main", null))));
  }

  @Test
  void readsJson() throws Violation {
    String json =
        """
        [{"device": "GPU-a", "namespace": "ml", "pod": "train-0", "container": "main"}]
        """;
    assertThat(PodsFileGrammar.parse(json))
        .isEqualTo(Map.of(GPU, List.of(new Holder("ml", "train-0", "main", null))));
  }

  @Test
  void takesEveryScalarForText() throws Violation {
    assertThat(
            PodsFileGrammar.parse(
                "- {device: GPU-a, namespace: 1234, pod: true, container: 1e3, uid: 12e4}"))
        .isEqualTo(Map.of(GPU, List.of(new Holder("1234", "true", "1e3", "12e4"))));
  }

  @Test
  void takesAnEmptyListForNobody() throws Violation {
    assertThat(PodsFileGrammar.parse("[]")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing", "null"})
  void refusesAnEmptyFile_whichMayBeOneThatIsBeingWritten(String text) {
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> PodsFileGrammar.parse(text))
        .withMessage("must be a list, was empty; [] is a list of nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "- ", "- {device: [%s]}", "- {%s: 1}", "- !<%s> x", "{%s: 1}"})
  void shortensWhatItFound(String form) {
    String text =
        form.contains("%s") ? form.replace("%s", "x".repeat(5_000)) : form + "y".repeat(5_000);

    var violation = catchThrowableOfType(Violation.class, () -> PodsFileGrammar.parse(text));

    assertThat(violation.problem()).hasSizeLessThan(300);
  }

  @Test
  void refusesAFileThatUnfoldsToMoreThanItIs() {
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> PodsFileGrammar.parse("- &a [x, x]\n- [*a, *a]\n"))
        .withMessageStartingWith("not YAML: Number of aliases");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: b                                                  | must be a list
          - just text                                           | entry 1 must be a mapping, was just text
          - {device: GPU-a, namespace: n, pod: p, container: c, gpu: 1} | entry 1 must have the keys device, namespace, pod, container, uid, has gpu
          - {device: GPU-a, namespace: n, container: c}         | entry 1: pod must be a non-empty text, was null
          - {device: GPU-a, namespace: n, pod: '', container: c} | entry 1: pod must be a non-empty text, was
          - {device: [x], namespace: n, pod: p, container: c}   | entry 1: device must be a non-empty text, was [x]
          - {device: a, device: b}                              | not YAML
          - {device: GPU-a                                      | not YAML
          """)
  void namesEntryRuleAndValue_whenTheFileIsBad(String text, String expected) {
    var violation = catchThrowableOfType(Violation.class, () -> PodsFileGrammar.parse(text));

    assertThat(violation.problem()).contains(expected.strip()).doesNotContain("\n");
  }
}
