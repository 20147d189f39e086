package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which parts of a page are sentences. */
class ProseParsingTest {

  @Test
  void splitsSentences_andLeavesOutCodeAndTargetsOfLinks() {
    Prose prose =
        Prose.of(
            """
            # A heading
            One `code with told` and [a link](told.md). Two
            goes on.
            - an item
            - **another**
            | a cell; its end | `b` |
            <!-- told -->
            ```
            told
            ```
            """);

    assertThat(prose.sentences())
        .filteredOn(sentence -> !sentence.isBlank())
        .containsExactly(
            "# A heading",
            "One x and a link.",
            "Two goes on.",
            "an item",
            "another",
            " a cell",
            "its end ",
            " x ");
  }
}
