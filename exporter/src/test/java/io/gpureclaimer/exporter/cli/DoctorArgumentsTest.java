package io.gpureclaimer.exporter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.cli.Invocation.Examine;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorArgumentsTest {

  @Test
  void checksThisMachine_asText_byDefault() {
    assertThat(parse(Map.of(), "doctor"))
        .isEqualTo(new Examine(Path.of("/"), Optional.empty(), false));
  }

  @Test
  void looksElsewhere_forMachines(@TempDir Path host) {
    assertThat(
            parse(
                Map.of(),
                "doctor",
                "--root",
                host.toString(),
                "-o",
                "json",
                "--nvml-library=/opt/libnvidia-ml.so.1"))
        .isEqualTo(new Examine(host, Optional.of(Path.of("/opt/libnvidia-ml.so.1")), true));
  }

  @Test
  void takesTheLibraryOfTheAgentsVariable() {
    assertThat(parse(Map.of("GPU_EXPORTER_NVML_LIBRARY", "/opt/lib"), "doctor"))
        .isEqualTo(new Examine(Path.of("/"), Optional.of(Path.of("/opt/lib")), false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --output=xml | --output must be one of text, json, was "xml"
          --root=      | --root must be a path, was ""
          --root=/none | --root must be a folder that is there, was "/none"
          --nope       | Unknown option: '--nope'
          extra        | Unmatched argument at index 0: 'extra'
          """)
  void refusesInOneLine(String argument, String problem) {
    assertThat(parse(Map.of(), "doctor", argument)).isEqualTo(new Refused(problem));
  }

  @Test
  void printsHelpOfItsOwn() {
    assertThat(parse(Map.of(), "doctor", "--help"))
        .isInstanceOfSatisfying(
            Print.class, help -> assertThat(help.text()).contains("gpu-exporter doctor", "--root"));
  }

  private static Invocation parse(Map<String, String> environment, String... args) {
    return new CommandLineArguments(environment, List.of("t4x4"), "1.2.3").parse(args);
  }
}
