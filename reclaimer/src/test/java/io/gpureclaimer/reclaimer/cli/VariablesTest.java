package io.gpureclaimer.reclaimer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cli.CommandLineProgram.EnvironmentVariables;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class VariablesTest {
  @ParameterizedTest(name = "variable {0}, flag {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, false",
        "-, --dry-run, true",
        "true, -, true",
        "true, --dry-run, true",
        "false, --dry-run, true",
        "true, --dry-run=false, false",
      })
  void aDryRunIsWhatTheFlagSaysElseTheVariable(String variable, String flag, boolean expected) {
    Map<String, String> environment =
        variable == null ? Map.of() : Map.of("GPU_RECLAIMER_DRY_RUN", variable);

    RunCommand command = flag == null ? parse(environment) : parse(environment, flag);

    assertThat(command.dryRun).isEqualTo(expected);
  }

  @Test
  void aFlagIsItsVariable_whenItIsNotGiven() {
    RunCommand command =
        parse(
            Map.of(
                "GPU_RECLAIMER_IDLE_AFTER", "2h",
                "GPU_RECLAIMER_LISTEN", "127.0.0.1:9999",
                "GPU_RECLAIMER_AGENTS", "http://a:9400/metrics,http://b:9400/metrics"));

    assertThat(CommonFlags.properties(command.spec))
        .containsEntry("policy.idle-after", "PT2H")
        .containsEntry("direct.agents", List.of("http://a:9400/metrics", "http://b:9400/metrics"));
    assertThat(command.address.port()).isEqualTo(9999);
  }

  @Test
  void aVariableThatIsSetToNothingIsNotSet() {
    RunCommand command = parse(Map.of("GPU_RECLAIMER_PROMETHEUS_URL", ""));

    assertThat(CommonFlags.properties(command.spec)).isEmpty();
  }

  private static RunCommand parse(Map<String, String> environment, String... args) {
    var command = new RunCommand();
    var program = new CommandLine(command);
    CommonFlags.addTo(program.getCommandSpec());
    var _ = program.setDefaultValueProvider(new EnvironmentVariables(environment)).parseArgs(args);
    return command;
  }
}
