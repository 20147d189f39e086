package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lies in the chart and elsewhere is the same; {@code deploy/helm/sync} copies it. */
class ChartFilesTest {

  @ParameterizedTest
  @CsvSource({
    "rules, deploy/rules, .yaml",
    "dashboards, grafana/dashboards, .json",
    "counters, deploy/counters, .csv",
    "defaults, deploy/helm/gpu-reclaimer, values.yaml"
  })
  void areThoseThatBelongThere(String folder, String source, String suffix) throws IOException {
    assertThat(files(Chart.FOLDER.resolve("files").resolve(folder), suffix))
        .as("run deploy/helm/sync")
        .isEqualTo(files(Chart.REPOSITORY.resolve(source), suffix));
  }

  private static Map<String, String> files(Path folder, String suffix) throws IOException {
    var found = new TreeMap<String, String>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(file -> file.toString().endsWith(suffix)).toList()) {
          found.put(file.getFileName().toString(), Files.readString(file));
        }
      }
    }
    return found;
  }
}
