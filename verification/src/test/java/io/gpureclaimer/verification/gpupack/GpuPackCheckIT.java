package io.gpureclaimer.verification.gpupack;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.verification.gpupack.GpuPackCheck.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole check over the packaged agent with simulated GPUs and a stand-in for nvidia-smi. */
class GpuPackCheckIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String RIGHT = "-";
  private static final int SECONDS = 56;

  @TempDir @Nullable Path folder;

  @Tag("nightly")
  @Test
  void passes_whenNvidiaSmiReportsTheSame() throws Exception {
    CheckReport report = check(RIGHT);

    assertThat(report.exitCode()).as(report.markdown()).isZero();
    assertThat(report.markdown())
        .contains("| `DCGM_FI_DEV_POWER_USAGE` and `power.draw` |")
        .contains(": busy seconds |")
        .contains("200 scrapes | none fails | 0 failed;");
    assertThat(folder().resolve("report.md")).content().isEqualTo(report.markdown());
  }

  @Tag("nightly")
  @Test
  void fails_whenNvidiaSmiReportsOtherValues() throws Exception {
    CheckReport report = check("memory.total,power.draw,pci.bus_id");

    assertThat(report.exitCode()).as(report.markdown()).isEqualTo(1);
    assertThat(report.markdown().lines().filter(line -> line.endsWith("| **FAIL** |")))
        .anyMatch(line -> line.contains("`memory.total`"))
        .anyMatch(line -> line.contains("`power.draw`"))
        .anyMatch(line -> line.contains("`pci.bus_id`"))
        .allMatch(line -> line.matches(".*`(memory.total|power.draw|pci.bus_id)`.*"));
  }

  @Test
  void checksNothing_withoutADriver() throws Exception {
    var settings =
        new Settings(
            folder(),
            Duration.ofSeconds(SECONDS),
            1,
            false,
            folder().resolve("absent").toString(),
            agent("--nvml-library", folder().resolve("absent").toString()));

    CheckReport report = new GpuPackCheck(settings, new ScriptedLoad(script()), clock()).run();

    assertThat(report.exitCode()).isEqualTo(2);
    assertThat(report.markdown()).contains("Nothing could be checked: no driver");
  }

  private CheckReport check(String wrong) throws IOException, InterruptedException {
    Files.writeString(script(), "[]\n");
    var settings =
        new Settings(
            folder(),
            Duration.ofSeconds(SECONDS),
            200,
            false,
            smi(wrong),
            agent("--simulate", "t4x4", "--simulate-script", script().toString()));
    return new GpuPackCheck(settings, new ScriptedLoad(script()), clock()).run();
  }

  private static List<String> agent(String... flags) {
    var command =
        new ArrayList<>(
            List.of(
                JAVA,
                "@" + REPOSITORY.resolve("exporter/src/main/jvm/jvm.options"),
                "-jar",
                REPOSITORY.resolve("exporter/target/gpu-exporter.jar").toString()));
    command.addAll(List.of(flags));
    return command;
  }

  /** Answers a query of one field, which only asks whether the field is known, by itself. */
  private String smi(String wrong) throws IOException {
    Path log = folder().resolve("raw").resolve("agent.log");
    String java =
        String.join(
            "' '",
            JAVA,
            "-cp",
            System.getProperty("java.class.path"),
            FakeSmi.class.getName(),
            log.toString(),
            wrong);
    Path script =
        Files.writeString(
            folder().resolve("nvidia-smi"),
            "#!/bin/sh\ncase \"$1\" in\n  *,*) exec '"
                + java
                + "' \"$1\" ;;\n  *) echo known ;;\nesac\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script.toString();
  }

  /** Load of simulated GPUs, by their script. */
  private record ScriptedLoad(Path script) implements Load {

    @Override
    public Optional<String> unavailable() {
      return Optional.empty();
    }

    @Override
    public Running start(Set<String> gpus, Kind kind, Duration time) throws IOException {
      Instant begin = clock().instant();
      write(
          IntStream.range(0, gpus.size())
              .mapToObj(gpu -> "- {gpu: " + gpu + ", utilization: 100}\n")
              .collect(Collectors.joining()));
      return () -> {
        Instant end = clock().instant();
        write("[]\n");
        return gpus.stream().map(gpu -> new Stretch(gpu, begin, end)).toList();
      };
    }

    private void write(String text) throws IOException {
      Path next = Files.writeString(script.resolveSibling("script.next"), text);
      Files.move(next, script, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static Clock clock() {
    return Clock.systemUTC();
  }

  private Path script() {
    return folder().resolve("script.yaml");
  }

  private Path folder() {
    return requireNonNull(folder);
  }
}
