package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recording rules that are shipped, by the unit tests of Prometheus's own tool. */
class RecordingRulesTest {
  private static final Path RULES = Path.of("../deploy/rules");

  @ParameterizedTest
  @ValueSource(strings = {"recording.yaml", "recording-exported.yaml"})
  void keepTheClocks(String file) throws IOException, InterruptedException {
    Optional<Path> promtool = DebianTool.of("prometheus", "promtool");
    assumeTrue(promtool.isPresent(), "promtool is not on the PATH, nor where ./test unpacks it");
    Process process =
        new ProcessBuilder(
                promtool.get().toString(), "test", "rules", "src/test/resources/rules/" + file)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"recording.yaml", "recording-exported.yaml"})
  void recordWhatIsAskedFor(String file) throws IOException {
    assertThat(Files.readString(RULES.resolve(file)))
        .contains(RulesFormat.NAMES.stream().map(name -> "- record: " + name + "\n").toList());
  }

  @Test
  void keepTheSameClocks_underEitherLabels() throws IOException {
    assertThat(expressions("recording.yaml").replace("pod!=\"\", exported_pod=\"\"", "P"))
        .isEqualTo(
            expressions("recording-exported.yaml")
                .replace("exported_pod!=\"\"", "P")
                .replace("label_replace(label_replace((\n", "")
                .replaceAll("\\), \"namespace\", .*\n", ""));
  }

  private static String expressions(String file) throws IOException {
    return Files.readString(RULES.resolve(file))
        .replaceAll("(?m)^ *#.*\n", "")
        .replaceAll("(?m)^ +", "");
  }
}
