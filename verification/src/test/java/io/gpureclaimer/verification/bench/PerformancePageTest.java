package io.gpureclaimer.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.verification.bench.RecordedValues.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The page is what the recorded values and its template say. Rewrite it with {@code
 * -Dgolden.update=true}, then read the diff.
 */
class PerformancePageTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/performance.md");
  private static final Map<String, RecordedRun> RUNS =
      Map.of(
          "agent",
          new RecordedRun(
              new MeasuredMachine("0123456789", 2, "some CPU", 24, 1.46, "25.0.3"),
              Map.of("cpu.median", MeasuredValue.parse("12345.60 µs"))));

  @Test
  void isWrittenFromTheRecordedValues() throws IOException {
    String page =
        PerformancePage.of(
            Files.readString(ROOT.resolve("verification/bench-page.template")),
            new RecordedValues(ROOT.resolve("verification/bench-values.json")).read());

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(PAGE, page);
    }
    assertThat(page).isEqualTo(Files.readString(PAGE));
  }

  @Test
  void hasValuesAndTheirCircumstances() {
    assertThat(PerformancePage.of("# Title\n\n{{agent}}: {{agent.cpu.median}}.\n", RUNS))
        .startsWith("# Title\n\n<!-- Written by the build from ")
        .endsWith(
            "\n\nrevision `0123456789`, 2 cores of some CPU, 24 GiB, load 1.5 before the run, JDK"
                + " 25.0.3: 12 345.60 µs.\n");
  }

  @Test
  void namesABudgetThatIsMissed() {
    assertThat(
            PerformancePage.of(
                "# Title\n\n{{agent.cpu.median <= 12345.6}}; {{agent.cpu.median <= 12345}}\n",
                RUNS))
        .endsWith("12 345.60 µs; 12 345.60 µs, **missed**\n");
  }

  @Test
  void isNotWritten_whenAValueWasNotRecorded() {
    assertThatThrownBy(() -> PerformancePage.of("# Title\n\n{{agent.memory}}\n", RUNS))
        .hasMessage("no recorded value for {{agent.memory}}");
    assertThatThrownBy(() -> PerformancePage.of("# Title\n\n{{cycle}}\n", RUNS))
        .hasMessage("no recorded value for {{cycle}}");
  }
}
