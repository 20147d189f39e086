package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.exporter.cli.AgentFlag.FlagArity;
import io.gpureclaimer.exporter.cli.AgentFlag.Section;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags as picocli knows them. */
final class CommandSpecs {
  private static final int HELP_WIDTH = 100;

  private final List<AgentFlag> flags;
  private final Set<String> names;

  CommandSpecs(List<AgentFlag> flags) {
    this.flags = flags;
    this.names = flags.stream().flatMap(f -> f.names().stream()).collect(Collectors.toSet());
  }

  CommandSpec spec() {
    var spec = CommandSpec.create().name("gpu-exporter");
    spec.usageMessage()
        .width(HELP_WIDTH)
        .sortOptions(false)
        .abbreviateSynopsis(true)
        .description("Serves DCGM-style metrics of this machine's NVIDIA GPUs to Prometheus.")
        .footer(
            "",
            "A flag wins over its environment variable. NODE_NAME is the hostname label.",
            "gpu-exporter doctor tells what is wrong with the GPU stack of this node.");
    int order = 0;
    for (Section section : Section.values()) {
      var group =
          ArgGroupSpec.builder()
              .exclusive(false)
              .validate(false)
              .order(order++)
              .heading("%n" + section.heading + ":%n");
      // Not group::addArg. The JVM archives no class as old as picocli's, but would archive that
      // method, with addresses that are others at each build of the image.
      flags.stream()
          .filter(f -> f.section() == section)
          .map(CommandSpecs::option)
          .forEach(option -> group.addArg(option));
      spec.addArgGroup(group.build());
    }
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("print this and leave")
            .build());
    spec.addOption(
        OptionSpec.builder("--version")
            .versionHelp(true)
            .description("print the version and leave")
            .build());
    return spec;
  }

  /** Programs in Go take {@code -collectors} for {@code --collectors}, so we do too. */
  String[] withTwoDashes(String... args) {
    return Arrays.stream(args)
        .map(arg -> lacksADash(name(arg)) ? "-" + arg : arg)
        .toArray(String[]::new);
  }

  /** Not so a value without any dash, as in {@code -d f}, though there is a flag {@code -f}. */
  private boolean lacksADash(String name) {
    return name.startsWith("-") && !names.contains(name) && names.contains("-" + name);
  }

  private static String name(String arg) {
    int equals = arg.indexOf('=');
    return equals < 0 ? arg : arg.substring(0, equals);
  }

  private static OptionSpec option(AgentFlag flag) {
    String variable = flag.variable() == null ? "" : "(" + flag.variable() + ")";
    var option =
        OptionSpec.builder(flag.names().toArray(String[]::new))
            .type(flag.arity() == FlagArity.LIST ? String[].class : String.class)
            .paramLabel(flag.label())
            .description((flag.help() + " " + variable).strip().replace("%", "%%"));
    return flag.arity() == FlagArity.SWITCH
        ? option.arity("0..1").fallbackValue("true").build()
        : option.arity("1").build();
  }
}
