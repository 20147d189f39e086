package io.gpureclaimer.verification.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dashboards are what their sources say. Rewrite them with {@code -Dgolden.update=true}, then
 * read the diff.
 */
class DashboardsGoldenTest {

  static Stream<String> names() {
    return DashboardSource.NAMES.stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void areMadeFromTheirSources(String name) throws IOException {
    Path file = RepositoryFiles.DASHBOARDS.resolve(name + ".json");
    String json = new GrafanaDashboard(DashboardSource.common()).json(DashboardSource.read(name));

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, json);
    }
    assertThat(json).isEqualTo(Files.readString(file));
  }

  @Test
  void areNoOthers() throws IOException {
    try (Stream<Path> files = Files.list(RepositoryFiles.DASHBOARDS)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(names().map(name -> name + ".json").toList());
    }
  }
}
