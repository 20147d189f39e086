package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Words of {@code prose/banned-words.txt} in the texts, comments and names of main and test code.
 */
class SourceProseTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern SOURCE_FOLDER = Pattern.compile("/src/(?:main|test)/java/");

  /** They have banned words as data: tests of this check, and a key of an earlier file format. */
  private static final Set<String> EXEMPT =
      Set.of("SourceProseTest.java", "ProseParsingTest.java", "HealthFileTest.java");

  @Test
  void stringsAndCommentsHaveNoBannedWords() throws IOException {
    BannedWords words = BannedWords.load();
    assertThat(
            sources().stream()
                .flatMap(
                    file -> prose(file).texts().stream().flatMap(it -> words.in(name(file), it))))
        .isEmpty();
  }

  @Test
  void namesHaveNoBannedWords() throws IOException {
    BannedWords words = BannedWords.load();
    assertThat(
            sources().stream()
                .flatMap(
                    file ->
                        prose(file).names().stream().flatMap(it -> words.inName(name(file), it))))
        .isEmpty();
  }

  @Test
  void everyModuleIsRead() throws IOException {
    assertThat(sources().stream().map(SourceProseTest::module))
        .hasSizeGreaterThan(1_500)
        .contains(
            "exporter",
            "plugin-core/common",
            "plugin-core/deviceplugin",
            "plugin-core/doctor",
            "plugin-core/nvml",
            "plugin-core/simulator",
            "reclaimer",
            "verification");
  }

  @Test
  void commentsAndStringsAreTexts_andCodeInThemIsNot() {
    assertThat(
            JavaProse.of(
                """
                /** Reads {@code told} of a
                 * GPU, see `tell`. */
                class Told { // one
                  // two
                  String said = "a GPU " + "is \\"idle\\""
                      + " again";
                  char quote = '"';
                }
                """))
        .isEqualTo(
            new JavaProse(
                List.of(
                    "/** Reads x of a GPU, see x. */",
                    "one two",
                    "\"a GPU is \\\"idle\\\" again\"",
                    "'\"'"),
                Set.of("class", "Told", "String", "said", "char", "quote")));
  }

  @Test
  void wordsOfANameAreItsCamelCaseParts() throws IOException {
    BannedWords words = BannedWords.load();
    assertThat(
            Stream.of("TOLD_ONCE", "isTold", "NVMLTold", "noMore")
                .flatMap(it -> words.inName("A", it)))
        .hasSize(4);
    assertThat(Stream.of("untold", "mendable", "totalTells2").flatMap(it -> words.inName("A", it)))
        .isEmpty();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> SOURCE_FOLDER.matcher(file.toString()).find())
          .filter(file -> !EXEMPT.contains(file.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private static JavaProse prose(Path file) {
    try {
      return JavaProse.of(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String module(Path file) {
    return SOURCE_FOLDER.split(name(file), 2)[0];
  }

  private static String name(Path file) {
    return ROOT.relativize(file).toString();
  }
}
