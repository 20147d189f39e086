package io.gpureclaimer.verification;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Style of the pages and texts for users: words of {@code prose/banned-words.txt}, length of
 * sentences and of READMEs. {@link LinksTest} checks links.
 */
class ProseTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int LONGEST_README = 1_200;
  private static final int LONGEST_SENTENCE = 28;

  /** Its table of values is generated. */
  private static final String CHART_README = "deploy/helm/gpu-reclaimer/README.md";

  private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*#+ ?(.*)$");
  private static final Pattern TEMPLATE_TEXT =
      Pattern.compile("(?s)\\{\\{-?\\s*/\\*(.*?)\\*/|\\bfail (?:\\(printf )?\"(.*?)\"");
  private static final Pattern ALERT_TEXT =
      Pattern.compile("(?m)^\\s*(?:summary|description): (.*)$");

  @Test
  void pagesHaveNoBannedWords() throws IOException {
    BannedWords words = BannedWords.load();
    assertThat(pages().flatMap(page -> banned(page, Prose.of(read(page)), words)).toList())
        .isEmpty();
  }

  @Test
  void pagesHaveNoLongSentences() throws IOException {
    assertThat(
            pages()
                .flatMap(
                    page ->
                        Prose.of(read(page)).sentences().stream()
                            .filter(sentence -> Prose.words(sentence) > LONGEST_SENTENCE)
                            .map(sentence -> name(page) + ": " + sentence))
                .toList())
        .isEmpty();
  }

  @Test
  void readmesAreShort() throws IOException {
    assertThat(
            pages()
                .filter(page -> page.endsWith("README.md"))
                .filter(page -> Prose.words(handWritten(page)) > LONGEST_README)
                .map(page -> name(page) + ": " + Prose.words(handWritten(page)) + " words")
                .toList())
        .isEmpty();
  }

  @Test
  void textsOfTheDeploymentHaveNoBannedWords() throws IOException {
    BannedWords words = BannedWords.load();
    assertThat(
            deploymentTexts().entrySet().stream()
                .flatMap(text -> banned(text.getKey(), Prose.of(text.getValue()), words))
                .toList())
        .isEmpty();
  }

  @Test
  void everyKindOfPageIsRead() throws IOException {
    assertThat(pages().map(ProseTest::name))
        .hasSizeGreaterThan(60)
        .contains(
            "README.md",
            "CONTRIBUTING.md",
            "exporter/README.md",
            "docs/known-gaps.md",
            "docs/reference/exporter-metrics.md",
            "docs/runbooks/GpuLost.md",
            CHART_README);
    assertThat(deploymentTexts().keySet().stream().map(ProseTest::name))
        .contains(
            "deploy/rules/alerts.yaml",
            "deploy/examples/quota.yaml",
            "deploy/helm/gpu-reclaimer/templates/_checks.tpl",
            "deploy/helm/gpu-reclaimer/templates/exporter/daemonset.yaml",
            "deploy/images/build",
            "verification/cluster/up",
            "test");
  }

  private static Stream<String> banned(Path file, Prose prose, BannedWords words) {
    return prose.sentences().stream().flatMap(it -> words.in(name(file), it));
  }

  private static String handWritten(Path readme) {
    String text = read(readme);
    return name(readme).equals(CHART_README) ? text.split("(?m)^## Values$", 2)[0] : text;
  }

  /**
   * Notes and messages of the chart, comments of its templates, values, CRDs and of the examples,
   * texts of the alerts, and scripts.
   */
  private static Map<Path, String> deploymentTexts() throws IOException {
    var texts = new LinkedHashMap<Path, String>();
    Path chart = ROOT.resolve("deploy/helm/gpu-reclaimer");
    texts.put(chart.resolve("templates/NOTES.txt"), read(chart.resolve("templates/NOTES.txt")));
    for (Path template : files("deploy/helm/gpu-reclaimer/templates", ".tpl")) {
      texts.put(template, matches(TEMPLATE_TEXT, template));
    }
    for (Path template : files("deploy/helm/gpu-reclaimer/templates", ".yaml")) {
      texts.put(template, matches(COMMENT, template) + "\n\n" + matches(TEMPLATE_TEXT, template));
    }
    var commented = new ArrayList<>(files("deploy/examples", ".yaml"));
    commented.add(chart.resolve("values.yaml"));
    commented.addAll(files("deploy/helm/gpu-reclaimer/crds", ".yaml"));
    commented.addAll(scripts());
    commented.forEach(file -> texts.put(file, matches(COMMENT, file)));
    for (Path rules : files("deploy/rules", ".yaml")) {
      texts.put(rules, matches(COMMENT, rules) + "\n\n" + matches(ALERT_TEXT, rules));
    }
    return texts;
  }

  /** Shell scripts in the root, and those below the folders of tools. */
  private static List<Path> scripts() throws IOException {
    var scripts = new ArrayList<>(List.of(ROOT.resolve("test"), ROOT.resolve("demo")));
    for (String folder : List.of("deploy", "verification")) {
      files(folder, "").stream()
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().indexOf('.') < 0)
          .filter(file -> read(file).startsWith("#!"))
          .forEach(scripts::add);
    }
    return scripts;
  }

  private static String matches(Pattern pattern, Path file) {
    return pattern
        .matcher(read(file))
        .results()
        .flatMap(it -> IntStream.rangeClosed(1, it.groupCount()).mapToObj(it::group))
        .filter(Objects::nonNull)
        .collect(joining("\n"));
  }

  private static Stream<Path> pages() throws IOException {
    var pages = new ArrayList<Path>();
    for (String folder : List.of("docs", "deploy")) {
      pages.addAll(files(folder, ".md"));
    }
    for (String page :
        List.of(
            "README.md",
            "CONTRIBUTING.md",
            "exporter/README.md",
            "reclaimer/README.md",
            "plugin-core/README.md",
            "grafana/README.md",
            "verification/peer/README.md")) {
      pages.add(ROOT.resolve(page));
    }
    return pages.stream();
  }

  private static List<Path> files(String folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      return files
          .filter(file -> file.toString().toLowerCase(Locale.ROOT).endsWith(suffix))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return ROOT.relativize(file.toAbsolutePath().normalize()).toString();
  }
}
