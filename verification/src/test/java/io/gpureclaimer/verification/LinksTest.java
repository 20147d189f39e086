package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The pages that people read: what they point to in this repository is there, to the heading. */
class LinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git", ".mvn");

  @Test
  void leadSomewhere() throws IOException {
    SortedMap<Path, MarkdownPage> pages = pages();
    var broken = new ArrayList<String>();
    pages.forEach(
        (file, page) ->
            page.links().stream()
                .filter(link -> !link.contains("://") && !link.startsWith("mailto:"))
                .filter(link -> !leads(pages, file, link))
                .forEach(link -> broken.add(ROOT.relativize(file) + " -> " + link)));

    assertThat(broken).isEmpty();
  }

  @Test
  void areAllChecked() throws IOException {
    List<String> names = pages().keySet().stream().map(file -> text(file)).toList();

    assertThat(names)
        .hasSizeGreaterThan(50)
        .contains(
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "exporter/README.md",
            "docs/guide/install.md",
            "docs/runbooks/GpuLost.md",
            "deploy/helm/gpu-reclaimer/README.md");
  }

  private static String text(Path file) {
    return ROOT.relativize(file).toString();
  }

  private static boolean leads(SortedMap<Path, MarkdownPage> pages, Path from, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? from : from.resolveSibling(file).normalize();
    if (hash < 0) {
      return Files.exists(target);
    }
    MarkdownPage page = pages.get(target);
    return page != null && page.anchors().contains(link.substring(hash + 1));
  }

  private static SortedMap<Path, MarkdownPage> pages() throws IOException {
    var pages = new TreeMap<Path, MarkdownPage>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().endsWith(".md")) {
              pages.put(file, MarkdownPage.of(Files.readString(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }
}
