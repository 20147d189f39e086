package io.gpureclaimer.reclaimer.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The environment variable that stands in for a flag which is not given: {@code --idle-after} is
 * {@code GPU_RECLAIMER_IDLE_AFTER}. A variable that is set to nothing counts as not set.
 */
final class Variables implements IDefaultValueProvider {
  private static final String PREFIX = "GPU_RECLAIMER_";
  private static final Map<String, String> OTHERWISE = Map.of("--address", PREFIX + "LISTEN");
  private static final Set<String> NONE =
      Set.of(
          "--help",
          "--version",
          "--kubeconfig",
          "--context",
          "--record",
          "--output",
          "--since",
          "--until",
          "--step",
          "--namespace",
          "--as-if",
          "--limit");

  private final Map<String, String> environment;

  Variables(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? variable(option.longestName())
            .map(environment::get)
            .filter(v -> !v.isBlank())
            .orElse(null)
        : null;
  }

  private static Optional<String> variable(String flag) {
    return NONE.contains(flag)
        ? Optional.empty()
        : Optional.of(
            OTHERWISE.getOrDefault(
                flag, PREFIX + flag.substring(2).replace('-', '_').toUpperCase(Locale.ROOT)));
  }
}
