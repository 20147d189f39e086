package io.gpureclaimer.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.simulator.ScriptedProcess.Kind;
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

  @Test
  void readsInstancesXidsAndProcesses() throws BadScript {
    String text =
        """
        - gpu: 0
          mig: [3g.40gb, 1g.10gb]
          xids: [{code: 79, after: 30s}, {code: 31, instance: 7}, {code: 48, after: 250ms}]
          processes: [{pid: 12, memory-mib: 500, sm: 30, instance: 7}, {pid: 13, kind: mps}]
        - {gpu: 1, mig: off}
        """;

    assertThat(ScriptYaml.parse(text, GPUS))
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
                            12, OptionalInt.of(500), 30, Kind.COMPUTE, OptionalInt.of(7)),
                        new ScriptedProcess(
                            13, OptionalInt.empty(), 0, Kind.MPS, OptionalInt.empty())),
                GpuScript.idle(1).with(MigLayout.OFF)));
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
          [{gpu: 1, load: 3}]  | entry 1: keys must be among [gpu, utilization, memory-used-mib, fault, mig, xids, processes, recovery-action], was "load"
          [{gpu: 1, utilization: 101}] | entry 1: utilization must be a whole number from 0 to 100, was "101"
          [{gpu: 1, utilization: 0.5}] | entry 1: utilization must be a whole number from 0 to 100, was "0.5"
          [{gpu: 1, utilization: }] | entry 1: utilization must be a whole number from 0 to 100, was "null"
          [{gpu: 1, memory-used-mib: -2}] | entry 1: memory-used-mib must be a whole number from 0 to 2147483647, was "-2"
          [{gpu: 1, fault: fire}] | entry 1: fault must be one of lost, gone, hang, power-unsupported, nvlink-down, inforom-corrupt, was "fire"
          [{gpu: 1, recovery-action: 6}] | entry 1: recovery-action must be a whole number from 0 to 5, was "6"
          [{gpu: 1, mig: 7}] | entry 1: mig must be a list, was "7"
          [{gpu: 1, mig: [9g.9gb]}] | entry 1: mig: a size must look like 1g.10gb, was "9g.9gb"
          [{gpu: 1, mig: [4g.40gb, 4g.40gb]}] | entry 1: mig: instances must have at most 7 slices, had 8
          [{gpu: 1, xids: 79}] | entry 1: xids must be a list, was "79"
          [{gpu: 1, xids: [79]}] | entry 1: xids entry 1: must have keys and values, was "79"
          [{gpu: 1, xids: [{code: 0}]}] | entry 1: xids entry 1: code must be positive, was 0
          [{gpu: 1, xids: [{code: 1}, {after: 1s}]}] | entry 1: xids entry 2: code must be given, was "{after=1s}"
          [{gpu: 1, xids: [{code: 1, after: soon}]}] | entry 1: xids entry 1: after must look like 30s, was "soon"
          [{gpu: 1, processes: [{pid: 1, kind: dog}]}] | entry 1: processes entry 1: kind must be compute, mps or graphics, was "dog"
          [{gpu: 1, processes: [{sm: 1}]}] | entry 1: processes entry 1: pid must be given, was "{sm=1}"
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
