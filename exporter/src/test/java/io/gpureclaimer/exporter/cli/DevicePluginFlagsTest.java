package io.gpureclaimer.exporter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.config.PluginFlag;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DevicePluginFlagsTest {
  private static final String OURS =
      """
      --device-plugin                | GPU_EXPORTER_DEVICE_PLUGIN | true        | device-plugin.enabled
      --device-plugin-config-file    | CONFIG_FILE                | /etc/c.yaml | device-plugin.config-file
      --device-plugin-config-dir     | CONFIG_FILE_SRCDIR         | /etc/c      | device-plugin.config-folder
      --device-plugin-default-config | DEFAULT_CONFIG             | a100        | device-plugin.default-config
      --device-plugin-fallback-strategies | FALLBACK_STRATEGIES   | empty,named | device-plugin.fallback-strategies
      --device-plugin-node-label     | NODE_LABEL                 | example.com/gpu | device-plugin.node-label
      --node-labels                  | GPU_EXPORTER_NODE_LABELS   | nfd-file    | device-plugin.labels
      """;

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = OURS)
  void turnsAFlagOfOursAndItsVariableIntoAProperty(
      String flag, String variable, String value, String property) {
    Map<String, Object> properties = Map.of(property, becomes(value));

    assertThat(parse(Map.of(), flag + "=" + value)).isEqualTo(run(properties));
    assertThat(parse(Map.of(variable, value))).isEqualTo(run(properties));
  }

  @Test
  void hasNoFlagOfItsOwnThatIsNotTriedHere() {
    List<String> tried = OURS.lines().map(line -> line.substring(0, line.indexOf(' '))).toList();

    assertThat(
            DevicePluginFlags.all().stream()
                .filter(flag -> flag.section() == AgentFlag.HelpSection.DEVICE_PLUGIN)
                .flatMap(flag -> flag.names().stream()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(tried.stream(), Stream.of("--roles")).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exporter                | true  | false
          device-plugin           | false | true
          exporter, device-plugin | true  | true
          device-plugin,exporter  | true  | true
          """)
  void takesOneRoleOrBoth(String roles, boolean exporter, boolean plugin) {
    Map<String, Object> properties =
        Map.of("roles.exporter", exporter, "device-plugin.enabled", plugin);

    assertThat(parse(Map.of(), "--roles=" + roles)).isEqualTo(run(properties));
    assertThat(parse(Map.of("GPU_EXPORTER_ROLES", roles))).isEqualTo(run(properties));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--roles=driver | --roles must be exporter, device-plugin, or both with a comma between"
            + " them, was \"driver\"",
        "--node-labels=everywhere | --node-labels must be one of none, node, nfd-file,"
            + " node-feature, was \"everywhere\"",
        "--device-plugin=perhaps | --device-plugin must be true or false, was \"perhaps\"",
      })
  void refusesWhatItDoesNotKnow_inOneLine(String argument, String problem) {
    assertThat(parse(Map.of(), argument)).isEqualTo(new Refused(problem));
  }

  static Stream<PluginFlag> nvidias() {
    return Arrays.stream(PluginFlag.values());
  }

  /** Their values are checked with the configuration, which knows all its sources. */
  @ParameterizedTest
  @MethodSource("nvidias")
  void passesEachFlagOfNvidiasOn_underItsUsualName(PluginFlag option) {
    String value = option.type() == PluginFlag.FlagType.BOOL ? "true" : "a value";
    Map<String, Object> properties =
        Map.of("device-plugin.options." + option.options().getFirst(), value);

    for (String name : option.options()) {
      assertThat(parse(Map.of(), "--" + name + "=" + value)).isEqualTo(run(properties));
    }
  }

  /** As NVIDIA's does; of the others the last counts. */
  @ParameterizedTest
  @MethodSource("nvidias")
  void takesAListInSeveralFlags(PluginFlag option) {
    String flag = "--" + option.options().getFirst();
    String value = option.isList() ? "1,0" : "0";

    assertThat(parse(Map.of(), flag + "=1", flag + "=0"))
        .isEqualTo(run(Map.of("device-plugin.options." + flag.substring(2), value)));
  }

  @Test
  void knowsWhichFlagsOfNvidiasAreLists() {
    assertThat(nvidias().filter(PluginFlag::isList).map(option -> option.options().getFirst()))
        .containsExactlyInAnyOrder(
            "device-list-strategy",
            "cdi-feature-flags",
            "cdi-disable-hooks",
            "cdi-enable-hooks",
            "imex-channel-ids");
  }

  /** They rank behind the flags, and before the file, which is not read yet. */
  @ParameterizedTest
  @MethodSource("nvidias")
  void leavesNvidiasVariablesToTheConfiguration(PluginFlag option) {
    for (String variable : option.variables()) {
      assertThat(parse(Map.of(variable, "a value"))).isEqualTo(run(Map.of()));
    }
  }

  @Test
  void takesTheConfigFileForThePlugins_ifTheRoleIsOn() {
    assertThat(parse(Map.of(), "--device-plugin", "--config-file=/etc/c.yaml"))
        .isEqualTo(
            run(Map.of("device-plugin.enabled", true, "device-plugin.config-file", "/etc/c.yaml")));
    assertThat(parse(Map.of("GPU_EXPORTER_ROLES", "device-plugin"), "--config-file=/etc/c.yaml"))
        .isEqualTo(
            run(
                Map.of(
                    "roles.exporter",
                    false,
                    "device-plugin.enabled",
                    true,
                    "device-plugin.config-file",
                    "/etc/c.yaml")));
  }

  @Test
  void takesTheConfigFileForDcgmExporters_otherwise() {
    assertThat(parse(Map.of(), "--config-file=/etc/c.yaml"))
        .isEqualTo(new Run(Map.of(), "text", false, List.of("--config-file")));
    assertThat(parse(Map.of("DCGM_EXPORTER_CONFIG_FILE", "/etc/c.yaml"), "--device-plugin"))
        .isEqualTo(
            new Run(
                Map.of("device-plugin.enabled", true),
                "text",
                false,
                List.of("DCGM_EXPORTER_CONFIG_FILE")));
  }

  @Test
  void refusesTwoConfigFiles() {
    assertThat(
            parse(
                Map.of(),
                "--device-plugin",
                "--config-file=/etc/c.yaml",
                "--device-plugin-config-file=/etc/d.yaml"))
        .isEqualTo(
            new Refused(
                "--config-file must not be set together with --device-plugin-config-file, was"
                    + " \"/etc/c.yaml\""));
  }

  private static Object becomes(String value) {
    return switch (value) {
      case "true" -> true;
      case "empty,named" -> List.of("empty", "named");
      case "/etc/c.yaml", "/etc/c" -> Path.of(value).toString();
      default -> value;
    };
  }

  private static Invocation parse(Map<String, String> environment, String... arguments) {
    return new CommandLineArguments(environment, List.of("t4x4"), "1.2.3").parse(arguments);
  }

  private static Run run(Map<String, Object> properties) {
    return new Run(properties, "text", false, List.of());
  }
}
