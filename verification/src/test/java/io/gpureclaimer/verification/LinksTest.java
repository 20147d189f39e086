package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages that people read: what they point to in this repository is there. */
class LinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final List<String> PLACES =
      List.of(
          "README.md", "exporter/README.md", "reclaimer/README.md", "grafana", "docs", "deploy");

  @Test
  void leadSomewhere() throws IOException {
    var broken = new ArrayList<String>();
    for (Path page : pages()) {
      LINK.matcher(Files.readString(page))
          .results()
          .map(link -> link.group(1))
          .filter(target -> !target.contains("://") && !target.startsWith("mailto:"))
          .filter(target -> !Files.exists(page.resolveSibling(target)))
          .forEach(target -> broken.add(ROOT.relativize(page) + " -> " + target));
    }

    assertThat(broken).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    var pages = new ArrayList<Path>();
    for (String place : PLACES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !file.toString().contains("/target/"))
            .forEach(pages::add);
      }
    }
    assertThat(pages).hasSizeGreaterThan(30);
    return pages;
  }
}
