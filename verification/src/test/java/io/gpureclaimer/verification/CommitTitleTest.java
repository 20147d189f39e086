package io.gpureclaimer.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hook {@code .ci/hooks/commit-msg}, which checks the title of a commit. */
class CommitTitleTest {
  private static final Path HOOK = Path.of("../.ci/hooks/commit-msg");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exporter: log which GPU is lost",
        "exporter, reclaimer: embed the version",
        "plugin-core/nvml: add a call\n\nThe body says why.",
        "reclaimer: pass the deadline on\n# a comment of git",
        "Revert \"exporter: log which GPU is lost\"",
        "fixup! exporter: log which GPU is lost"
      })
  void accepts(String message) throws IOException, InterruptedException {
    assertThat(check(message)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log which GPU is lost",
        "Exporter: log which GPU is lost",
        "exporter: Log which GPU is lost",
        "exporter: logs which GPU is lost",
        "exporter: logged which GPU is lost",
        "exporter: logging of lost GPUs",
        "exporter: log which GPU is lost.",
        "exporter: log which GPU is lost; count them",
        "exporter: log which GPU is lost\nThe body says why.",
        "exporter: log which GPU is lost, and how many other GPUs the driver still",
        ""
      })
  void refuses(String message) throws IOException, InterruptedException {
    assertThat(check(message)).startsWith("commit title: expected ");
  }

  /** What the hook says; empty if it accepts the message. */
  private String check(String message) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("message"), message);
    Process hook =
        new ProcessBuilder(HOOK.toString(), file.toString()).redirectErrorStream(true).start();
    String output = new String(hook.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(hook.waitFor()).isEqualTo(output.isEmpty() ? 0 : 1);
    return output;
  }
}
