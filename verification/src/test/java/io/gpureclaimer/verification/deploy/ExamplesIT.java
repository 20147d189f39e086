package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The annotations in the examples are those that the reclaimer understands. */
class ExamplesIT {
  private static final Path PROGRAM = Path.of("../reclaimer/target/gpu-reclaimer.jar");

  @Test
  void passTheLinter() throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-jar", PROGRAM.toString(), "lint"));
    Examples.manifests().stream().map(Path::toString).forEach(command::add);

    Process lint = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(lint.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(lint.waitFor()).as(said).isZero();
  }
}
