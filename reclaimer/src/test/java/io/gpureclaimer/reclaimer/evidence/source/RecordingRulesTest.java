package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /** The one list of signs and its threshold. */
  @Test
  void countEverySignOfWork() throws IOException {
    String text = Files.readString(RULES.resolve("recording.yaml"));

    assertThat(
            text.lines()
                .filter(line -> line.contains("max_over_time("))
                .map(line -> line.strip().replaceFirst("^or ", "")))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ActivityField.values())
                .flatMap(ActivityField::fields)
                .flatMap(RecordingRulesTest::activity)
                .toList());
    assertThat(text)
        .contains(
            "gpu_reclaimer:device_activity:ratio >= "
                + ActivityField.THRESHOLD_PERCENT / 100
                + "\n");
  }

  /** The names of a profiling counter together; each name of a utilization with its own unit. */
  private static Stream<String> activity(DcgmField field) {
    List<ActivitySign> signs =
        ActivitySign.ALL.stream()
            .filter(sign -> sign.field() == field)
            .filter(sign -> !field.legacyName().equals(Optional.of(sign.metric())))
            .toList();
    if (signs.getFirst().ofInstances()) {
      String names = signs.stream().map(ActivitySign::metric).collect(Collectors.joining("|"));
      return Stream.of(
          activity(
              "{__name__=~\"" + names + "\", pod!=\"\", exported_pod=\"\"}",
              "",
              ActivityField.isZeroAtRest(field),
              field.metricName()));
    }
    return signs.stream()
        .map(
            sign ->
                activity(
                    sign.metric() + "{pod!=\"\", exported_pod=\"\", GPU_I_ID=\"\"}",
                    sign.factor() == 1 ? " / 100" : "",
                    false,
                    sign.metric()));
  }

  private static String activity(String selector, String unit, boolean anyCounts, String metric) {
    String highest = "max_over_time(" + selector + "[1m])" + unit;
    return "label_replace("
        + (anyCounts ? "clamp_min(" + highest + " != 0, 0.01)" : highest)
        + ", \"field\", \""
        + metric.replace("DCGM_FI_", "").toLowerCase(Locale.ROOT)
        + "\", \"\", \"\")";
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
