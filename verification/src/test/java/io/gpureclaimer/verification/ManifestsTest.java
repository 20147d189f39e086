package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests that people apply. */
class ManifestsTest {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern IMAGE = Pattern.compile("image: (\\S+)");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  @Test
  void useTheImagesOfThisVersion() throws IOException {
    String version =
        VERSION
            .matcher(Files.readString(REPOSITORY.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .findFirst()
            .orElseThrow();

    assertThat(images())
        .containsExactlyInAnyOrder(
            "gpu-reclaimer.io/exporter:" + version, "gpu-reclaimer.io/reclaimer:" + version);
  }

  private static List<String> images() throws IOException {
    try (Stream<Path> files = Files.list(REPOSITORY.resolve("deploy/manifests"))) {
      return files.flatMap(file -> found(file).map(match -> match.group(1))).toList();
    }
  }

  private static Stream<MatchResult> found(Path file) {
    try {
      return IMAGE.matcher(Files.readString(file)).results();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
