package io.gpureclaimer.verification.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The dashboards, by Grafana's own schema, where npm has brought it. */
class SchemaTest {
  private static final int NOT_HERE = 2;

  @Test
  void findsNoFault() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                RepositoryFiles.ROOT.resolve("verification/sh/check-dashboards").toString(),
                "--offline")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();

    assumeTrue(code != NOT_HERE, said.strip());
    assertThat(code).as(said).isZero();
  }
}
