package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * In an umbrella, all charts see each other's templates: of two of one name the umbrella's stands.
 */
class ChartBelowAnotherTest {
  private static final Pattern DEFINITION =
      Pattern.compile("define \"(?:gpu-reclaimer\\.)?([^\"]*)\"");

  @TempDir private Path umbrella;

  @Test
  void rendersAsItDoesAlone() throws IOException {
    Files.writeString(
        umbrella.resolve("Chart.yaml"), "{apiVersion: v2, name: umbrella, version: 1.0.0}\n");
    Files.writeString(
        umbrella.resolve("values.yaml"),
        "global: {storageClass: fast}\ngpu-reclaimer: {lookAround: false}\n");
    Files.createDirectory(umbrella.resolve("templates"));
    Files.writeString(umbrella.resolve("templates/_names.tpl"), templatesOfOurNames());
    Files.createDirectory(umbrella.resolve("charts"));
    Chart.copyTo(umbrella.resolve("charts/gpu-reclaimer"));

    assertThat(StrictYaml.objects(Chart.renderFrom(umbrella)))
        .containsExactlyInAnyOrderElementsOf(StrictYaml.objects(Chart.render()));
  }

  /** Templates that are called as ours would be if they did not bear the chart's name. */
  private static String templatesOfOurNames() throws IOException {
    var names = new TreeSet<String>();
    try (Stream<Path> files = Files.walk(Chart.FOLDER.resolve("templates"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        DEFINITION
            .matcher(Files.readString(file))
            .results()
            .forEach(found -> names.add(found.group(1)));
      }
    }
    assertThat(names).contains("labels", "image");
    var text = new StringBuilder();
    names.forEach(
        name ->
            text.append(
                "{{ define \"%s\" }}{{ fail \"this %s is the umbrella's\" }}{{ end }}%n"
                    .formatted(name, name)));
    return text.toString();
  }
}
