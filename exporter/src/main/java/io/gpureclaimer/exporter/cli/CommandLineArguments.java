package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.common.flags.FlagValue.InvalidFlag;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect.Early;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect.Ignored;
import io.gpureclaimer.exporter.cli.AgentFlag.Effect.Sets;
import io.gpureclaimer.exporter.cli.AgentFlag.FlagArity;
import io.gpureclaimer.exporter.cli.AgentFlag.HelpSection;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Parses arguments and environment variables into an {@link Invocation}. */
public final class CommandLineArguments {
  private static final Pattern PROPERTY = Pattern.compile("[a-z][a-z0-9-]*(?:\\.[a-z][a-z0-9-]*)+");

  private final Map<String, String> environment;
  private final List<AgentFlag> flags;
  private final String version;

  /**
   * @param environment the process's environment variables
   * @param profiles what can be simulated
   * @param version output of {@code --version}
   */
  public CommandLineArguments(
      Map<String, String> environment, List<String> profiles, String version) {
    this.environment = Map.copyOf(environment);
    this.flags = AgentFlags.all(profiles);
    this.version = version;
  }

  /** Decides what the arguments ask for; nothing has happened yet. */
  public Invocation parse(String... args) {
    if (args.length > 0 && args[0].equals(DoctorArguments.NAME)) {
      return new DoctorArguments(environment).parse(Arrays.copyOfRange(args, 1, args.length));
    }
    if (args.length > 0 && args[0].equals(RemoveLabelsArguments.NAME)) {
      return RemoveLabelsArguments.parse(Arrays.copyOfRange(args, 1, args.length));
    }
    var grammar = new CommandSpecs(flags);
    var parser = new CommandLine(grammar.spec()).setUnmatchedOptionsArePositionalParams(false);
    try {
      var given = parser.parseArgs(grammar.withDeclaredDashes(args));
      if (given.isUsageHelpRequested()) {
        return new Print(parser.getUsageMessage());
      }
      if (given.isVersionHelpRequested()) {
        return new Print("gpu-exporter " + version + "\n");
      }
      return run(given);
    } catch (ParameterException e) {
      return new Refused(String.valueOf(e.getMessage()));
    } catch (InvalidFlag e) {
      return new Refused(e.problem());
    }
  }

  /**
   * The problem with flags and variables in place of the properties that they set.
   *
   * @param args as {@link #parse} accepted them
   */
  public String inFlags(String problem, String... args) {
    var grammar = new CommandSpecs(flags);
    var given =
        new CommandLine(grammar.spec())
            .setUnmatchedOptionsArePositionalParams(false)
            .parseArgs(grammar.withDeclaredDashes(args));
    var sources = new HashMap<String, String>();
    for (AgentFlag flag : compatibilityFirst()) {
      var setting = setting(given, flag);
      if (setting.isPresent() && flag.effect() instanceof Sets(var check)) {
        String source = setting.get().source();
        check.apply(setting.get()).keySet().forEach(property -> sources.put(property, source));
      }
    }
    return PROPERTY
        .matcher(problem)
        .replaceAll(
            found -> Matcher.quoteReplacement(sources.getOrDefault(found.group(), found.group())));
  }

  private Run run(ParseResult given) {
    var set = new HashMap<String, FlagValue>();
    var properties = new HashMap<String, Object>();
    var ignored = new ArrayList<String>();
    Optional.ofNullable(environment.get("NODE_NAME"))
        .filter(name -> !name.isBlank())
        .ifPresent(name -> properties.put("node.name", name));
    for (AgentFlag flag : compatibilityFirst()) {
      var setting = setting(given, flag);
      if (setting.isEmpty()) {
        continue;
      }
      set.put(flag.name(), setting.get());
      switch (flag.effect()) {
        case Sets(var check) -> properties.putAll(check.apply(setting.get()));
        case Early() -> {}
        case Ignored(var harmless) -> {
          if (asksForSomething(flag, setting.get(), harmless)) {
            ignored.add(setting.get().source());
          }
        }
      }
    }
    usePluginConfigFile(set, properties, ignored);
    refuseContradictions(set);
    boolean debug =
        Optional.ofNullable(set.get(AgentFlags.DEBUG)).filter(FlagValue::bool).isPresent();
    String logFormat =
        Optional.ofNullable(set.get(AgentFlags.LOG_FORMAT))
            .map(format -> format.oneOf(AgentFlags.LOG_FORMATS))
            .orElse("text");
    return new Run(properties, logFormat, debug, ignored);
  }

  /** What a flag of its own sets replaces what {@code --compat} sets. */
  private List<AgentFlag> compatibilityFirst() {
    return flags.stream()
        .sorted(Comparator.comparing(flag -> !flag.name().equals(AgentFlags.COMPAT)))
        .toList();
  }

  /** With the device plugin on, the flag that NVIDIA's has under the name of dcgm-exporter's. */
  private static void usePluginConfigFile(
      Map<String, FlagValue> set, Map<String, Object> properties, List<String> ignored) {
    var file = set.get(AgentFlags.CONFIG_FILE);
    if (file != null
        && file.source().equals(AgentFlags.CONFIG_FILE)
        && Boolean.TRUE.equals(properties.get("device-plugin.enabled"))) {
      var other = set.get(DevicePluginFlags.CONFIG_FILE);
      if (other != null && other.source().equals(DevicePluginFlags.CONFIG_FILE)) {
        throw file.invalid("must not be set together with " + other.source());
      }
      properties.put("device-plugin.config-file", file.path());
      ignored.remove(AgentFlags.CONFIG_FILE);
    }
  }

  private static boolean asksForSomething(AgentFlag flag, FlagValue setting, Set<String> harmless) {
    if (flag.arity() == FlagArity.SWITCH) {
      return setting.bool() && !harmless.contains("true");
    }
    return !harmless.contains(setting.text());
  }

  private static void refuseContradictions(Map<String, FlagValue> set) {
    refuseBoth(set, AgentFlags.PODS_FILE, AgentFlags.KUBERNETES);
    refuseBoth(set, AgentFlags.NVML_LIBRARY, AgentFlags.SIMULATE);
    refuseBoth(set, AgentFlags.HOSTNAME_LABEL, AgentFlags.NO_HOSTNAME);
    var script = set.get(AgentFlags.SIMULATE_SCRIPT);
    if (script != null && !set.containsKey(AgentFlags.SIMULATE)) {
      throw script.invalid("must be set together with " + AgentFlags.SIMULATE);
    }
  }

  /** A switch that is set to false contradicts nothing. */
  private static void refuseBoth(Map<String, FlagValue> set, String one, String other) {
    var first = set.get(one);
    var second = set.get(other);
    if (first != null && second != null && !second.isFalse()) {
      throw first.invalid("must not be set together with " + second.source());
    }
  }

  /** Of a flag that is given several times and is no list the last counts, as with NVIDIA's. */
  private Optional<FlagValue> setting(ParseResult given, AgentFlag flag) {
    var option = given.matchedOption(flag.name());
    if (option == null) {
      return FlagValue.variable(environment, flag.variables());
    }
    var values = option.stringValues();
    String value = flag.arity() == FlagArity.LIST ? String.join(",", values) : values.getLast();
    return Optional.of(new FlagValue(flag.name(), value));
  }

  /** Flags in the model of picocli. */
  static final class CommandSpecs {
    private static final int HELP_WIDTH = 100;
    private static final List<String> HELP = List.of("-h", "--help");
    private static final List<String> VERSION = List.of("-v", "--version");

    private final List<AgentFlag> flags;
    private final Set<String> names;

    CommandSpecs(List<AgentFlag> flags) {
      this.flags = flags;
      this.names =
          Stream.concat(
                  flags.stream().flatMap(flag -> flag.names().stream()),
                  Stream.concat(HELP.stream(), VERSION.stream()))
              .collect(Collectors.toSet());
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
              "gpu-exporter doctor finds out what is wrong with the GPU stack of this node.",
              "gpu-exporter remove-labels removes the labels that agents wrote to Nodes.");
      int order = 0;
      for (HelpSection section : HelpSection.values()) {
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
          OptionSpec.builder(HELP.toArray(String[]::new))
              .usageHelp(true)
              .description("print this and leave")
              .build());
      spec.addOption(
          OptionSpec.builder(VERSION.toArray(String[]::new))
              .versionHelp(true)
              .description("print the version and leave")
              .build());
      return spec;
    }

    /** Programs in Go take every name of a flag with one dash or two, so we do too. */
    String[] withDeclaredDashes(String... args) {
      return Arrays.stream(args).map(this::withDeclaredDashes).toArray(String[]::new);
    }

    /** A value without any dash stays, as in {@code -d f}, though there is a flag {@code -f}. */
    private String withDeclaredDashes(String arg) {
      String name = name(arg);
      if (!name.startsWith("-") || names.contains(name)) {
        return arg;
      }
      if (names.contains("-" + name)) {
        return "-" + arg;
      }
      return names.contains(name.substring(1)) ? arg.substring(1) : arg;
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
}
