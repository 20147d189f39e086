package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.exporter.cli.Flag.Effect.Early;
import io.gpureclaimer.exporter.cli.Flag.Effect.Ignored;
import io.gpureclaimer.exporter.cli.Flag.Effect.Sets;
import io.gpureclaimer.exporter.cli.Flag.Form;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns arguments and environment variables into what the agent is to do. */
public final class CommandLineArguments {
  private final Map<String, String> environment;
  private final List<Flag> flags;
  private final String version;

  /**
   * @param environment the process's environment variables
   * @param profiles what can be simulated
   * @param version what {@code --version} tells
   */
  public CommandLineArguments(
      Map<String, String> environment, List<String> profiles, String version) {
    this.environment = Map.copyOf(environment);
    this.flags = Flags.all(profiles);
    this.version = version;
  }

  /** Decides what the arguments ask for; nothing has happened yet. */
  public Invocation parse(String... args) {
    if (args.length > 0 && args[0].equals(DoctorArguments.NAME)) {
      return new DoctorArguments(environment).parse(Arrays.copyOfRange(args, 1, args.length));
    }
    var grammar = new Grammar(flags);
    var parser = new CommandLine(grammar.spec()).setUnmatchedOptionsArePositionalParams(false);
    try {
      var given = parser.parseArgs(grammar.withTwoDashes(args));
      if (given.isUsageHelpRequested()) {
        return new Print(parser.getUsageMessage());
      }
      if (given.isVersionHelpRequested()) {
        return new Print("gpu-exporter " + version + "\n");
      }
      return run(given);
    } catch (ParameterException e) {
      return new Refused(String.valueOf(e.getMessage()));
    } catch (BadValue e) {
      return new Refused(e.problem());
    }
  }

  private Run run(ParseResult given) {
    var set = new HashMap<String, Setting>();
    var properties = new HashMap<String, Object>();
    var ignored = new ArrayList<String>();
    Optional.ofNullable(environment.get("NODE_NAME"))
        .filter(name -> !name.isBlank())
        .ifPresent(name -> properties.put("node.name", name));
    for (Flag flag : flags) {
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
    takePluginsConfigFile(set, properties, ignored);
    refuseContradictions(set);
    boolean debug = Optional.ofNullable(set.get(Flags.DEBUG)).filter(Setting::asTruth).isPresent();
    String logFormat =
        Optional.ofNullable(set.get(Flags.LOG_FORMAT))
            .map(format -> format.asOneOf(Flags.LOG_FORMATS))
            .orElse("text");
    return new Run(properties, logFormat, debug, ignored);
  }

  /** With the device plugin on, the flag that NVIDIA's has under the name of dcgm-exporter's. */
  private static void takePluginsConfigFile(
      Map<String, Setting> set, Map<String, Object> properties, List<String> ignored) {
    var file = set.get(Flags.CONFIG_FILE);
    if (file != null
        && file.source().equals(Flags.CONFIG_FILE)
        && Boolean.TRUE.equals(properties.get("device-plugin.enabled"))) {
      var other = set.get(DevicePluginFlags.CONFIG_FILE);
      if (other != null && other.source().equals(DevicePluginFlags.CONFIG_FILE)) {
        throw file.bad("must not be set together with " + other.source());
      }
      properties.put("device-plugin.config-file", file.asPath());
      ignored.remove(Flags.CONFIG_FILE);
    }
  }

  private static boolean asksForSomething(Flag flag, Setting setting, Set<String> harmless) {
    if (flag.form() == Form.SWITCH) {
      return setting.asTruth() && !harmless.contains("true");
    }
    return !harmless.contains(setting.value());
  }

  private static void refuseContradictions(Map<String, Setting> set) {
    refuseBoth(set, Flags.PODS_FILE, Flags.KUBERNETES);
    refuseBoth(set, Flags.NVML_LIBRARY, Flags.SIMULATE);
    refuseBoth(set, Flags.HOSTNAME_LABEL, Flags.NO_HOSTNAME);
    var script = set.get(Flags.SIMULATE_SCRIPT);
    if (script != null && !set.containsKey(Flags.SIMULATE)) {
      throw script.bad("must be set together with " + Flags.SIMULATE);
    }
  }

  /** A switch that is set to false contradicts nothing. */
  private static void refuseBoth(Map<String, Setting> set, String one, String other) {
    var first = set.get(one);
    var second = set.get(other);
    if (first != null && second != null && !isFalse(second)) {
      throw first.bad("must not be set together with " + second.source());
    }
  }

  private static boolean isFalse(Setting setting) {
    return List.of("0", "f", "F", "false", "FALSE", "False").contains(setting.value());
  }

  /** Of a flag that is given several times and is no list the last counts, as with NVIDIA's. */
  private Optional<Setting> setting(ParseResult given, Flag flag) {
    var option = given.matchedOption(flag.name());
    if (option == null) {
      return variable(flag);
    }
    var values = option.stringValues();
    String value = flag.form() == Form.LIST ? String.join(",", values) : values.getLast();
    return Optional.of(new Setting(flag.name(), value));
  }

  /** A variable that is set to nothing counts as not set. */
  private Optional<Setting> variable(Flag flag) {
    String name = flag.variable();
    return Optional.ofNullable(name)
        .map(environment::get)
        .filter(value -> !value.isBlank())
        .map(value -> new Setting(String.valueOf(name), value));
  }
}
