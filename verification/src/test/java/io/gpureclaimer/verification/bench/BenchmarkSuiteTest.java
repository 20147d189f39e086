package io.gpureclaimer.verification.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.verification.bench.RecordedValues.RecordedRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkSuiteTest {
  private static final MeasuredMachine EARLIER =
      new MeasuredMachine("0123456789", 2, "some CPU", 24, 1.5, "25");

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private RecordedValues recorded;

  @BeforeEach
  void recordOne() throws IOException {
    recorded = new RecordedValues(folder.resolve("values.json"));
    recorded.record("first", new RecordedRun(EARLIER, values("cpu", "10 ms")));
  }

  @Test
  void comparesWithTheRecordedValues_andLeavesThemAlone() throws Exception {
    assertThat(run(List.of(prints("first", "cpu 20 ms\\n")), "first")).isZero();

    assertThat(printed()).contains("cpu     10 ms  20 ms  +100.0 %  beyond noise of 30 %");
    assertThat(recorded.read()).isEqualTo(Map.of("first", run(EARLIER, "10 ms")));
  }

  @Test
  void replacesTheRecordedValuesOfWhatRan() throws Exception {
    recorded.record("other", run(EARLIER, "30 ms"));

    assertThat(run(List.of(prints("first", "cpu 20 ms\\n")), "--record", "first")).isZero();

    assertThat(recordedRun("first").values()).isEqualTo(values("cpu", "20 ms"));
    assertThat(recordedRun("first").machine()).isNotEqualTo(EARLIER);
    assertThat(recorded.read()).containsEntry("other", run(EARLIER, "30 ms"));
  }

  @Test
  void namesTheBenchmarks_whenOneIsUnknown() throws Exception {
    assertThat(run(List.of(prints("first", ""), prints("second", "")), "first", "third"))
        .isEqualTo(2);
    assertThat(printed()).isEqualTo("bench: unknown benchmark: third; expected first, second\n");
  }

  @Test
  void namesABenchmarkThatFails_andKeepsTheValuesOfTheOthers() throws Exception {
    assertThat(
            run(
                List.of(shell("first", "echo cpu 1 ms; exit 3"), prints("second", "cpu 20 ms\\n")),
                "--record"))
        .isEqualTo(1);
    assertThat(printed()).contains("\ncpu 1 ms\n").endsWith("bench: failed: first: exit code 3\n");
    assertThat(recorded.read()).containsEntry("first", run(EARLIER, "10 ms"));
    assertThat(recordedRun("second").values()).isEqualTo(values("cpu", "20 ms"));
  }

  @Test
  void refusesLinesThatAreNoValues() throws Exception {
    assertThat(
            run(
                List.of(
                    prints("none", ""),
                    prints("text", "cpu NaN ms\\n"),
                    prints("twice", "cpu 1 ms\\ncpu 2 ms\\n"),
                    shell("absent", "exec /does/not/exist"))))
        .isEqualTo(1);
    assertThat(printed())
        .endsWith(
            """
            bench: failed: none: it printed no value
            bench: failed: text: expected NAME VALUE UNIT, was 'cpu NaN ms'
            bench: failed: twice: it printed cpu twice
            bench: failed: absent: exit code 127
            """);
  }

  @Test
  void runsOnlyTheUsualBenchmarks_whenNoneIsNamed() {
    Benchmark usual = prints("first", "");
    Benchmark slow = new Benchmark("slow", false, "a test", List.of("false"));

    assertThat(Benchmark.chosen(List.of(usual, slow), List.of())).containsExactly(usual);
    assertThat(Benchmark.chosen(List.of(usual, slow), List.of("slow"))).containsExactly(slow);
  }

  @Test
  void eachBenchmarkIsAScriptOfTheRepository() {
    assertThat(Benchmark.all())
        .allSatisfy(each -> assertThat(Path.of("..", each.command().getFirst())).isExecutable())
        .extracting(Benchmark::name)
        .doesNotHaveDuplicates();
  }

  private int run(List<Benchmark> benchmarks, String... arguments)
      throws IOException, InterruptedException {
    return new BenchmarkSuite(folder, recorded, new PrintStream(out, true, UTF_8))
        .run(benchmarks, List.of(arguments));
  }

  private RecordedRun recordedRun(String name) throws IOException {
    return Objects.requireNonNull(recorded.read().get(name), name);
  }

  private String printed() {
    return out.toString(UTF_8);
  }

  private static Benchmark prints(String name, String text) {
    return shell(name, "printf '" + text + "'");
  }

  private static Benchmark shell(String name, String script) {
    return new Benchmark(name, true, "a test", List.of("sh", "-c", script));
  }

  private static RecordedRun run(MeasuredMachine machine, String cpu) {
    return new RecordedRun(machine, values("cpu", cpu));
  }

  private static Map<String, MeasuredValue> values(String name, String text) {
    return Map.of(name, MeasuredValue.parse(text));
  }
}
