package io.gpureclaimer.exporter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.nvml.simulated.Profile;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineArgumentsTest {

  @Test
  void leavesEverythingToTheDefaults_whenNothingIsSaid() {
    assertThat(parse(Map.of())).isEqualTo(new Run(Map.of(), "text"));
  }

  @Test
  void turnsFlagsIntoProperties() {
    assertThat(
            parse(
                Map.of(),
                "-a",
                "127.0.0.1:19400",
                "-c",
                "250",
                "--nvml-library",
                "/opt/libnvidia-ml.so.1",
                "--pods-file",
                "pods.yaml",
                "--log-format",
                "json"))
        .isEqualTo(
            new Run(
                Map.of(
                    "micronaut.server.host", "127.0.0.1",
                    "micronaut.server.port", 19400,
                    "sampling.interval", "250ms",
                    "driver.library", "/opt/libnvidia-ml.so.1",
                    "attribution.pods-file", "pods.yaml"),
                "json"));
  }

  @Test
  void turnsVariablesIntoProperties() {
    assertThat(
            parse(
                Map.of(
                    "DCGM_EXPORTER_LISTEN", ":9500",
                    "DCGM_EXPORTER_INTERVAL", "30000",
                    "GPU_EXPORTER_SIMULATE", "h100x8",
                    "GPU_EXPORTER_SIMULATE_SCRIPT", "script.yaml",
                    "GPU_EXPORTER_PODS_FILE", "pods.yaml",
                    "DCGM_EXPORTER_LOG_FORMAT", "json",
                    "NODE_NAME", "node-a")))
        .isEqualTo(
            new Run(
                Map.of(
                    "micronaut.server.port", 9500,
                    "sampling.interval", "30000ms",
                    "simulation.profile", "h100x8",
                    "simulation.script", "script.yaml",
                    "attribution.pods-file", "pods.yaml",
                    "node.name", "node-a"),
                "json"));
  }

  @Test
  void letsAFlagWinOverItsVariable() {
    assertThat(parse(Map.of("DCGM_EXPORTER_INTERVAL", "30000"), "--collect-interval", "500"))
        .isEqualTo(new Run(Map.of("sampling.interval", "500ms"), "text"));
  }

  @Test
  void takesAnEmptyVariableForNone() {
    assertThat(parse(Map.of("DCGM_EXPORTER_LISTEN", " "))).isEqualTo(new Run(Map.of(), "text"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --nope                        | Unknown option: '--nope'
          extra                         | Unmatched argument at index 0: 'extra'
          --address                     | Missing required parameter for option '--address' (HOST:PORT)
          -a=9400                       | --address must be host:port, [v6-address]:port or :port, was "9400"
          -a=host:99999                 | --address must be host:port, [v6-address]:port or :port, was "host:99999"
          -c=abc                        | --collect-interval must be a whole number of ms from 100 to 3600000, was "abc"
          -c=99                         | --collect-interval must be a whole number of ms from 100 to 3600000, was "99"
          --simulate=v100               | --simulate must be one of a100x8, h100x8, h200x8, mixed, t4x4, was "v100"
          --log-format=xml              | --log-format must be one of text, json, was "xml"
          --simulate-script=f           | --simulate-script must be set together with --simulate, was "f"
          --pods-file=                  | --pods-file must be a path, was ""
          -k=maybe                      | --kubernetes must be true or false, was "maybe"
          """)
  void refusesInOneLine_namingFlagRuleAndValue(String argument, String problem) {
    assertThat(parse(Map.of(), argument)).isEqualTo(new Refused(problem));
  }

  @Test
  void namesTheVariable_whenItIsTheOneThatIsWrong() {
    assertThat(parse(Map.of("DCGM_EXPORTER_INTERVAL", "soon")))
        .isEqualTo(
            new Refused(
                "DCGM_EXPORTER_INTERVAL must be a whole number of ms from 100 to 3600000,"
                    + " was \"soon\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-k", "--kubernetes", "--kubernetes=true", "-k=1"})
  void asksTheKubelet_whenTold(String flag) {
    assertThat(parse(Map.of(), flag))
        .isEqualTo(new Run(Map.of("attribution.kubelet", true), "text"));
  }

  @Test
  void asksTheKubelet_whenTheVariablesOfDcgmExporterSaySo() {
    assertThat(
            parse(
                Map.of(
                    "DCGM_EXPORTER_KUBERNETES", "true",
                    "DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID", "true",
                    "DCGM_POD_RESOURCES_KUBELET_SOCKET", "/run/k.sock")))
        .isEqualTo(
            new Run(
                Map.of(
                    "attribution.kubelet",
                    true,
                    "attribution.pod-uids",
                    true,
                    "attribution.kubelet-socket",
                    "/run/k.sock"),
                "text"));
    assertThat(parse(Map.of("DCGM_EXPORTER_KUBERNETES", "true"), "--kubernetes=false"))
        .isEqualTo(new Run(Map.of("attribution.kubelet", false), "text"));
  }

  @Test
  void refusesAPodsFileAndTheKubelet() {
    assertThat(parse(Map.of(), "--pods-file", "pods.yaml", "-k"))
        .isEqualTo(
            new Refused(
                "--pods-file must not be set together with --kubernetes, was \"pods.yaml\""));
  }

  @Test
  void refusesADriverAndASimulation() {
    assertThat(parse(Map.of(), "--simulate", "t4x4", "--nvml-library", "lib.so"))
        .isEqualTo(
            new Refused("--nvml-library must not be set together with --simulate, was \"lib.so\""));
  }

  @Test
  void printsTheVersion() {
    assertThat(parse(Map.of(), "--version")).isEqualTo(new Print("gpu-exporter 1.2.3\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-h", "--help"})
  void printsHelp_thatNamesEveryProfile(String flag) {
    assertThat(parse(Map.of(), flag))
        .isInstanceOfSatisfying(
            Print.class, help -> assertThat(help.text()).contains(Profile.names()));
  }

  private static Invocation parse(Map<String, String> environment, String... args) {
    return new CommandLineArguments(environment, Profile.names(), "1.2.3").parse(args);
  }
}
