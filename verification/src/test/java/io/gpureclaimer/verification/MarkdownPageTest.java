package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What of a page is a link or a heading, and what is only text. */
class MarkdownPageTest {

  @Test
  void hasLinksOfProse_andAnchorsOfHeadings() {
    MarkdownPage page =
        MarkdownPage.of(
            """
            # What it is, and why `--this`
            ![picture](a.png) and [text](b.md#part), `[no](link)`.
            ```
            # no heading, [no link](c.md)
            ```
            ## [Unreleased](x.md)
            ## Repeated
            ## Repeated
            """);

    assertThat(page)
        .isEqualTo(
            new MarkdownPage(
                List.of("a.png", "b.md#part", "x.md"),
                List.of("what-it-is-and-why---this", "unreleased", "repeated", "repeated-1")));
  }
}
