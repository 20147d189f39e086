package io.gpureclaimer.reclaimer.cli;

import static io.gpureclaimer.common.program.ReferencePage.code;
import static java.util.stream.Collectors.joining;

import io.gpureclaimer.common.program.PropertyReference;
import io.gpureclaimer.common.program.ReferencePage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
  void reportsAllFlagsAndProperties() throws IOException {
    var page =
        new ReferencePage(
            "Commands, flags and properties of the reclaimer",
            "A flag wins over its variable. What has no flag is a property in a YAML file that"
                + " `MICRONAUT_CONFIG_FILES` names. More about them:"
                + " [reclaimer/README.md](../../reclaimer/README.md).");
    Map<String, CommandLine> commands = commands();
    List<List<String>> common = common(commands.values());
    page.section("Common to all commands")
        .paragraph("Each of " + names(commands.keySet()) + " has these.")
        .table(HEADS, common);
    for (Map.Entry<String, CommandLine> command : commands.entrySet()) {
      page.section("gpu-reclaimer " + command.getKey())
          .paragraph(
              String.join(" ", command.getValue().getCommandSpec().usageMessage().description()))
          .table(HEADS, without(common, flags(command.getValue())));
    }
    page.section("Properties").paragraph("Durations are written as `90s`, `15m`, `1h30m` or `7d`.");
    PropertyReference.addTo(
        page,
        Path.of("src/main/java/io/gpureclaimer/reclaimer/config"),
        Path.of("src/main/resources/application.yml"));

    page.assertIsCommittedAs("reclaimer-settings.md");
  }

  private static Map<String, CommandLine> commands() {
    return CommandLineProgram.parser(Map.of()).getSubcommands();
  }

  private static String names(Collection<String> commands) {
    return commands.stream().map(ReferencePage::code).collect(joining(", "));
  }

  /** What every command has, with the same words, in the order of the first. */
  private static List<List<String>> common(Collection<CommandLine> commands) {
    List<List<String>> rows = new ArrayList<>(flags(commands.iterator().next()));
    commands.forEach(command -> rows.retainAll(flags(command)));
    return rows;
  }

  private static List<List<String>> without(List<List<String>> common, List<List<String>> rows) {
    return rows.stream().filter(row -> !common.contains(row)).toList();
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
