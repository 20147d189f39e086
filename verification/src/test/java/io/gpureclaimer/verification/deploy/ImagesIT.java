package io.gpureclaimer.verification.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One archive has the images of both platforms, and those of the other platform start, emulated.
 */
@Tag("nightly")
class ImagesIT {
  private static final int NOT_HERE = 2;
  private static final String FOLDER = Path.of("target", "images").toAbsolutePath().toString();

  @Test
  void areForBothPlatforms() throws IOException, InterruptedException {
    run("build", "--platform", "linux/amd64,linux/arm64", FOLDER);
    run("check-platforms", FOLDER);
  }

  private static void run(String script, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of("..", "deploy", "images", script).toString());
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));

    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();

    assumeTrue(code != NOT_HERE, said.lines().reduce("", (_, last) -> last));
    assertThat(code).as(said).isZero();
  }
}
