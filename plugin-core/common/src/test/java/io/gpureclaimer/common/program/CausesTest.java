package io.gpureclaimer.common.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CausesTest {

  @Test
  void reportsOurOwnRule_howeverDeepItLies() {
    var rule = new IllegalArgumentException("sample.hosts must name\n  a host, was none");

    assertThat(Causes.ruleOf(new IllegalStateException("no bean", new RuntimeException(rule))))
        .isEqualTo("sample.hosts must name; a host, was none");
  }

  @ParameterizedTest
  @CsvSource({
    "Duration, a duration like 90s",
    "int, a whole number",
    "long, a whole number",
    "double, a number",
    "boolean, true or false",
    "URI, a URI"
  })
  void reportsWhatAPropertyMustBe_whenItCannotBeRead(String type, String words) {
    var thrown =
        new IllegalStateException(
            "Failed to inject value for parameter [x] of class: Y\n\nMessage: Error resolving"
                + " property value [sample.x]. Unable to convert value [a b] to target type ["
                + type
                + "] due to: no\nPath Taken: new Y");

    assertThat(Causes.ruleOf(new RuntimeException("no bean", thrown)))
        .startsWith("sample.x must be " + words)
        .endsWith(", was a b");
  }

  @Test
  void reportsTheInnermostProblem_whenItIsNeither() {
    assertThat(Causes.ruleOf(new RuntimeException("outer", new IllegalStateException("inner"))))
        .isEqualTo("inner");
    assertThat(Causes.innermost(new IllegalStateException()))
        .isEqualTo("java.lang.IllegalStateException");
  }
}
