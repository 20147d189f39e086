package io.gpureclaimer.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.simulator.ScriptedProcess.ProcessList;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptYamlTest {
  private static final int GPUS = 8;

  @Test
  void readsEveryKey() {
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

    assertThat(ScriptYaml.parse("script.yaml", text, GPUS))
        .isEqualTo(
            Script.of(
                new GpuScript(0, 85, OptionalInt.of(40960), Optional.empty()),
                GpuScript.broken(3, Fault.LOST),
                GpuScript.broken(4, Fault.HANG),
                new GpuScript(5, 100, OptionalInt.empty(), Optional.of(Fault.POWER_UNSUPPORTED))));
  }

  @Test
  void readsInstancesXidsAndProcesses() {
    String text =
        """
        - gpu: 0
          mig: [3g.40gb, 1g.10gb]
          xids: [{code: 79, after: 30s}, {code: 31, instance: 7}, {code: 48, after: 250ms}]
          processes: [{pid: 12, memory-mib: 500, sm: 30, instance: 7}, {pid: 13, kind: mps}]
        - {gpu: 1, mig: off}
        """;

    assertThat(ScriptYaml.parse("script.yaml", text, GPUS))
        .isEqualTo(
            Script.of(
                GpuScript.idle(0)
                    .with(MigLayout.of(List.of("3g.40gb", "1g.10gb")))
                    .raising(
                        new ScriptedXid(79, Duration.ofSeconds(30), OptionalInt.empty()),
                        new ScriptedXid(31, Duration.ZERO, OptionalInt.of(7)),
                        new ScriptedXid(48, Duration.ofMillis(250), OptionalInt.empty()))
                    .running(
                        new ScriptedProcess(
                            12, OptionalInt.of(500), 30, ProcessList.COMPUTE, OptionalInt.of(7)),
                        new ScriptedProcess(
                            13, OptionalInt.empty(), 0, ProcessList.MPS, OptionalInt.empty())),
                GpuScript.idle(1).with(MigLayout.OFF)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "# nothing yet\n", "---\n"})
  void isIdle_whenNothingIsListed(String text) {
    assertThat(ScriptYaml.parse("script.yaml", text, GPUS)).isEqualTo(Script.IDLE);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          gpu: 0               | 1:1 must be a list, was a mapping with the keys gpu
          [busy]               | 1:2: [0] must be a mapping, was "busy"
          [{gpu: 0}, ~]        | 1:12: [1].gpu must be given, was not
          [{utilization: 1}]   | 1:2: [0].gpu must be given, was not
          [{gpu: 8}]           | 1:8: [0].gpu must be a whole number from 0 to 7, was "8"
          [{gpu: -1}]          | 1:8: [0].gpu must be a whole number from 0 to 7, was "-1"
          [{gpu: one}]         | 1:8: [0].gpu must be a whole number from 0 to 7, was "one"
          [{gpu: 1}, {gpu: 1}] | 1:12: [1].gpu must be listed once, was 1
          [{gpu: 1, load: 3}]  | 1:11: [0].load is no known key; did you mean gpu?
          [{gpu: 1, utilization: 101}] | 1:24: [0].utilization must be a whole number from 0 to 100, was "101"
          [{gpu: 1, utilization: 0.5}] | 1:24: [0].utilization must be a whole number from 0 to 100, was "0.5"
          [{gpu: 1, memory-used-mib: -2}] | 1:28: [0].memory-used-mib must be a whole number from 0 to 999999999, was "-2"
          [{gpu: 1, fault: fire}] | 1:18: [0].fault must be one of lost, gone, hang, power-unsupported, nvlink-down, inforom-corrupt, was "fire"
          [{gpu: 1, recovery-action: 6}] | 1:28: [0].recovery-action must be a whole number from 0 to 5, was "6"
          [{gpu: 1, mig: 7}] | 1:16: [0].mig must be a list, was "7"
          [{gpu: 1, mig: on}] | 1:16: [0].mig must be off or a list, was "on"
          [{gpu: 1, mig: [9g.9gb]}] | 1:16: [0].mig: a size must look like 1g.10gb, was "9g.9gb"
          [{gpu: 1, mig: [4g.40gb, 4g.40gb]}] | 1:16: [0].mig: instances must have at most 7 slices, had 8
          [{gpu: 1, xids: 79}] | 1:17: [0].xids must be a list, was "79"
          [{gpu: 1, xids: [79]}] | 1:18: [0].xids[0] must be a mapping, was "79"
          [{gpu: 1, xids: [{code: 0}]}] | 1:25: [0].xids[0].code must be a whole number from 1 to 999, was "0"
          [{gpu: 1, xids: [{code: 1}, {after: 1s}]}] | 1:29: [0].xids[1].code must be given, was not
          [{gpu: 1, xids: [{code: 1, after: soon}]}] | 1:35: [0].xids[0].after must be a duration such as 30s, was "soon"
          [{gpu: 1, processes: [{pid: 1, kind: dog}]}] | 1:38: [0].processes[0].kind must be compute, mps or graphics, was "dog"
          [{gpu: 1, processes: [{sm: 1}]}] | 1:23: [0].processes[0].pid must be given, was not
          [{gpu: 1             | 1:9 is neither YAML nor JSON: expected ',' or '}', but got <stream end>
          """)
  void reportsPositionRuleAndValue(String text, String message) {
    assertThatThrownBy(() -> ScriptYaml.parse("script.yaml", text, GPUS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("script.yaml:" + message);
  }

  @Test
  void refusesWhatIsNotData() {
    assertThatThrownBy(
            () -> ScriptYaml.parse("script.yaml", "- !!java.net.URL [\"http://localhost\"]", GPUS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "script.yaml:1:3 is neither YAML nor JSON: Global tag is not allowed:"
                + " tag:yaml.org,2002:java.net.URL");
  }
}
