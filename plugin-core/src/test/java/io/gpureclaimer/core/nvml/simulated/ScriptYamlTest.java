package io.gpureclaimer.core.nvml.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptYamlTest {
  private static final int GPUS = 8;

  @Test
  void readsEveryKey() throws BadScript {
    String text =
        """
        - gpu: 0                     # index
          utilization: 85
          memory-used-mib: 40960
        - gpu: 3
          fault: lost
        - gpu: 4
          fault: hang
        - {gpu: 5, utilization: 100, fault: power-unsupported}
        """;

    assertThat(ScriptYaml.parse(text, GPUS))
        .isEqualTo(
            Script.of(
                new GpuScript(0, 85, OptionalInt.of(40960), Optional.empty()),
                GpuScript.broken(3, Fault.LOST),
                GpuScript.broken(4, Fault.HANG),
                new GpuScript(5, 100, OptionalInt.empty(), Optional.of(Fault.POWER_UNSUPPORTED))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "# nothing yet\n", "---\n"})
  void isIdle_whenNothingIsListed(String text) throws BadScript {
    assertThat(ScriptYaml.parse(text, GPUS)).isEqualTo(Script.IDLE);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          gpu: 0               | a script must be a list of GPUs, was "{gpu=0}"
          [busy]               | entry 1: must have keys and values, was "busy"
          [{gpu: 0}, ~]        | entry 2: must have keys and values, was "null"
          [{utilization: 1}]   | entry 1: gpu must be given, was "{utilization=1}"
          [{gpu: 8}]           | entry 1: gpu must be a whole number from 0 to 7, was "8"
          [{gpu: -1}]          | entry 1: gpu must be a whole number from 0 to 7, was "-1"
          [{gpu: one}]         | entry 1: gpu must be a whole number from 0 to 7, was "one"
          [{gpu: 1}, {gpu: 1}] | entry 2: gpu must be listed once, was 1
          [{gpu: 1, load: 3}]  | entry 1: keys must be among [gpu, utilization, memory-used-mib, fault], was "load"
          [{gpu: 1, utilization: 101}] | entry 1: utilization must be a whole number from 0 to 100, was "101"
          [{gpu: 1, utilization: 0.5}] | entry 1: utilization must be a whole number from 0 to 100, was "0.5"
          [{gpu: 1, utilization: }] | entry 1: utilization must be a whole number from 0 to 100, was "null"
          [{gpu: 1, memory-used-mib: -2}] | entry 1: memory-used-mib must be a whole number from 0 to 2147483647, was "-2"
          [{gpu: 1, fault: fire}] | entry 1: fault must be one of lost, hang, power-unsupported, was "fire"
          [{gpu: 1             | line 1: not YAML: expected ',' or '}', but got <stream end>
          """)
  void saysWhichEntryBreaksWhichRule(String text, String message) {
    assertThatThrownBy(() -> ScriptYaml.parse(text, GPUS))
        .isInstanceOf(BadScript.class)
        .hasMessage(message);
  }

  @Test
  void refusesWhatIsNotData() {
    assertThatThrownBy(() -> ScriptYaml.parse("- !!java.net.URL [\"http://localhost\"]", GPUS))
        .isInstanceOf(BadScript.class)
        .hasMessage("line 1: not YAML: Global tag is not allowed: tag:yaml.org,2002:java.net.URL");
  }
}
