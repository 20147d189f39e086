package io.gpureclaimer.common.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page of {@code docs/reference}, written from what the code says. Rewrite it with {@code
 * -Dgolden.update=true}, then read the diff.
 */
public final class ReferencePage {
  private static final Path FOLDER = Path.of("../docs/reference");

  private final StringBuilder text = new StringBuilder();

  /**
   * @param title of the page
   * @param introduction one paragraph
   */
  public ReferencePage(String title, String introduction) {
    text.append("# ").append(title).append("\n\n");
    text.append("<!-- Written by the build from the code; do not edit. -->\n\n");
    text.append(introduction).append('\n');
  }

  /** A heading. */
  public ReferencePage section(String title) {
    text.append("\n## ").append(title).append('\n');
    return this;
  }

  /** A paragraph. */
  public ReferencePage paragraph(String words) {
    text.append('\n').append(words).append('\n');
    return this;
  }

  /** A table; its cells may hold anything. */
  public ReferencePage table(List<String> heads, List<List<String>> rows) {
    text.append("\n| ").append(String.join(" | ", heads)).append(" |\n");
    text.append("|---".repeat(heads.size())).append("|\n");
    for (List<String> row : rows) {
      text.append("| ")
          .append(String.join(" | ", row.stream().map(ReferencePage::cell).toList()))
          .append(" |\n");
    }
    return this;
  }

  private static String cell(String words) {
    return words.replace("|", "\\|").replace("\n", " ");
  }

  /** As code, if there is anything. */
  public static String code(String words) {
    return words.isEmpty() ? "" : "`" + words + "`";
  }

  /** Compares the page with the file that is committed. */
  public void assertIsCommittedAs(String file) {
    Path committed = FOLDER.resolve(file);
    try {
      if (Boolean.getBoolean("golden.update")) {
        Files.createDirectories(FOLDER);
        Files.writeString(committed, text);
      }
      assertThat(text.toString()).isEqualTo(Files.readString(committed));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
