package io.gpureclaimer.reclaimer.cli;

import static io.gpureclaimer.core.program.ReferencePage.code;
import static java.util.stream.Collectors.joining;

import io.gpureclaimer.core.program.PropertyReference;
import io.gpureclaimer.core.program.ReferencePage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The page with all commands, flags, variables and properties. */
class SettingsReferenceTest {
  private static final Pattern VARIABLE = Pattern.compile("\\s*Variable (GPU_RECLAIMER_\\w+)\\.$");
  private static final List<String> HEADS = List.of("flag", "variable", "value", "meaning");

  @Test
  void tellsOfAllFlagsAndProperties() throws IOException {
    var page =
        new ReferencePage(
            "Commands, flags and properties of the reclaimer",
            "A flag wins over its variable. What has no flag is a property in a YAML file that"
                + " `MICRONAUT_CONFIG_FILES` names. More about them:"
                + " [reclaimer/README.md](../../reclaimer/README.md).");
    for (Map.Entry<String, CommandLine> command : commands().entrySet()) {
      page.section("gpu-reclaimer " + command.getKey())
          .paragraph(
              String.join(" ", command.getValue().getCommandSpec().usageMessage().description()))
          .table(HEADS, flags(command.getValue()));
    }
    page.section("Properties").paragraph("Durations are written as `90s`, `15m`, `2h` or `7d`.");
    PropertyReference.addTo(
        page,
        Path.of("src/main/java/io/gpureclaimer/reclaimer/config"),
        Path.of("src/main/resources/application.yml"));

    page.assertIsCommittedAs("reclaimer-settings.md");
  }

  private static Map<String, CommandLine> commands() {
    return CommandLineProgram.parser(Map.of()).getSubcommands();
  }

  private static List<List<String>> flags(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .map(SettingsReferenceTest::row)
        .toList();
  }

  private static List<String> row(OptionSpec option) {
    String description = String.join(" ", option.description());
    Matcher variable = VARIABLE.matcher(description);
    boolean hasVariable = variable.find();
    return List.of(
        Arrays.stream(option.names()).map(ReferencePage::code).collect(joining(", ")),
        hasVariable ? code(variable.group(1)) : "",
        option.arity().max() == 0 ? "" : code(option.paramLabel()),
        hasVariable ? description.substring(0, variable.start()) : description);
  }
}
