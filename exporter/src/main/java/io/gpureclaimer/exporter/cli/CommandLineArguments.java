package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns arguments and environment variables into what the agent is to do. */
public final class CommandLineArguments {
  private static final int SHORTEST_INTERVAL_MILLIS = 100;
  private static final int LONGEST_INTERVAL_MILLIS = 3_600_000;
  private static final List<String> LOG_FORMATS = List.of("text", "json");

  private final Map<String, String> environment;
  private final List<String> profiles;
  private final String version;

  /**
   * @param environment the process's environment variables
   * @param profiles what can be simulated
   * @param version what {@code --version} tells
   */
  public CommandLineArguments(
      Map<String, String> environment, List<String> profiles, String version) {
    this.environment = Map.copyOf(environment);
    this.profiles = List.copyOf(profiles);
    this.version = version;
  }

  /** Decides what the arguments ask for; nothing has happened yet. */
  public Invocation parse(String... args) {
    var parser = new CommandLine(new Flags()).setUnmatchedOptionsArePositionalParams(false);
    try {
      var given = parser.parseArgs(args);
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
    var properties = new HashMap<String, Object>();
    setting(given, Flags.ADDRESS, "DCGM_EXPORTER_LISTEN")
        .map(ListenAddress::of)
        .ifPresent(
            address -> {
              properties.put("micronaut.server.port", address.port());
              if (!address.host().isEmpty()) {
                properties.put("micronaut.server.host", address.host());
              }
            });
    setting(given, Flags.COLLECT_INTERVAL, "DCGM_EXPORTER_INTERVAL")
        .map(s -> s.asNumber("ms", SHORTEST_INTERVAL_MILLIS, LONGEST_INTERVAL_MILLIS) + "ms")
        .ifPresent(interval -> properties.put("sampling.interval", interval));
    chooseHolders(given, properties);
    variable("NODE_NAME").ifPresent(name -> properties.put("node.name", name.value()));
    chooseDriver(given, properties);
    String logFormat =
        setting(given, Flags.LOG_FORMAT, "DCGM_EXPORTER_LOG_FORMAT")
            .map(format -> format.asOneOf(LOG_FORMATS))
            .orElse("text");
    return new Run(properties, logFormat);
  }

  private void chooseHolders(ParseResult given, Map<String, Object> properties) {
    var podsFile = setting(given, Flags.PODS_FILE, "GPU_EXPORTER_PODS_FILE");
    var kubernetes = setting(given, Flags.KUBERNETES, "DCGM_EXPORTER_KUBERNETES");
    if (podsFile.isPresent() && kubernetes.filter(Setting::asTruth).isPresent()) {
      throw podsFile.get().bad("must not be set together with " + kubernetes.get().source());
    }
    podsFile.map(Setting::asPath).ifPresent(path -> properties.put("attribution.pods-file", path));
    kubernetes
        .map(Setting::asTruth)
        .ifPresent(asked -> properties.put("attribution.kubelet", asked));
    setting(given, Flags.ENABLE_POD_UID, "DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID")
        .map(Setting::asTruth)
        .ifPresent(asked -> properties.put("attribution.pod-uids", asked));
    setting(given, Flags.POD_RESOURCES_SOCKET, "DCGM_POD_RESOURCES_KUBELET_SOCKET")
        .map(Setting::asPath)
        .ifPresent(path -> properties.put("attribution.kubelet-socket", path));
  }

  private void chooseDriver(ParseResult given, Map<String, Object> properties) {
    var library = setting(given, Flags.NVML_LIBRARY, "GPU_EXPORTER_NVML_LIBRARY");
    var profile = setting(given, Flags.SIMULATE, "GPU_EXPORTER_SIMULATE");
    var script = setting(given, Flags.SIMULATE_SCRIPT, "GPU_EXPORTER_SIMULATE_SCRIPT");
    if (profile.isPresent() && library.isPresent()) {
      throw library.get().bad("must not be set together with " + profile.get().source());
    }
    if (profile.isEmpty() && script.isPresent()) {
      throw script.get().bad("must be set together with " + Flags.SIMULATE);
    }
    library.map(Setting::asPath).ifPresent(path -> properties.put("driver.library", path));
    profile
        .map(name -> name.asOneOf(profiles))
        .ifPresent(name -> properties.put("simulation.profile", name));
    script.map(Setting::asPath).ifPresent(path -> properties.put("simulation.script", path));
  }

  private Optional<Setting> setting(ParseResult given, String flag, String variable) {
    @Nullable String value = given.matchedOptionValue(flag, null);
    return value == null ? variable(variable) : Optional.of(new Setting(flag, value));
  }

  /** A variable that is set to nothing counts as not set. */
  private Optional<Setting> variable(String name) {
    return Optional.ofNullable(environment.get(name))
        .filter(value -> !value.isBlank())
        .map(value -> new Setting(name, value));
  }
}
