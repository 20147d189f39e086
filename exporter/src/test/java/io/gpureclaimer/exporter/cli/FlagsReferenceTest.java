package io.gpureclaimer.exporter.cli;

import static io.gpureclaimer.common.program.ReferencePage.code;

import io.gpureclaimer.common.program.PropertyReference;
import io.gpureclaimer.common.program.ReferencePage;
import io.gpureclaimer.deviceplugin.config.PluginFlag;
import io.gpureclaimer.exporter.cli.AgentFlag.HelpSection;
import io.gpureclaimer.simulator.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page with all flags, variables and properties. */
class FlagsReferenceTest {
  private static final List<String> HEADS = List.of("flag", "variable", "value", "meaning");

  @Test
  void reportsAllFlagsAndProperties() throws IOException {
    var page =
        new ReferencePage(
            "Flags and properties of the exporter",
            "A flag wins over its variable. What has no flag is a property in a YAML file that"
                + " `MICRONAUT_CONFIG_FILES` names. More about them:"
                + " [exporter/README.md](../../exporter/README.md).");
    for (HelpSection section : HelpSection.values()) {
      page.section(section.heading).table(HEADS, rows(section));
    }
    page.section("Properties")
        .paragraph(
            "Durations are written as `100ms`, `1s`, `5m` or `1h30m`. A property without a default is off.");
    PropertyReference.addTo(
        page,
        Path.of("src/main/java/io/gpureclaimer/exporter/config"),
        Path.of("src/main/resources/application.yml"));

    page.assertIsCommittedAs("exporter-flags.md");
  }

  private static List<List<String>> rows(HelpSection section) {
    return AgentFlags.all(Profile.names()).stream()
        .filter(flag -> flag.section() == section)
        .map(FlagsReferenceTest::row)
        .toList();
  }

  private static List<String> row(AgentFlag flag) {
    String names = flag.names().stream().map(ReferencePage::code).collect(Collectors.joining(", "));
    String variables = variables(flag).map(ReferencePage::code).collect(Collectors.joining(", "));
    return List.of(names, variables, code(flag.label()), flag.help());
  }

  /** Those of NVIDIA's flags are read with the configuration. */
  private static Stream<String> variables(AgentFlag flag) {
    return Stream.concat(
        Stream.ofNullable(flag.variable()),
        Arrays.stream(PluginFlag.values())
            .filter(option -> flag.name().equals("--" + option.options().getFirst()))
            .flatMap(option -> option.variables().stream()));
  }
}
