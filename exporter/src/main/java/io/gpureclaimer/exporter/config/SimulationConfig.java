package io.gpureclaimer.exporter.config;

import io.gpureclaimer.simulator.Profile;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A simulated driver instead of the real one. Bound from {@code simulation.*}.
 *
 * @param profile which node to simulate; the real driver is asked if not given
 * @param script file that says what each simulated GPU does
 */
@Context
@ConfigurationProperties("simulation")
public record SimulationConfig(@Nullable String profile, @Nullable Path script) {
  public SimulationConfig {
    if (profile != null && Profile.named(profile).isEmpty()) {
      throw new IllegalArgumentException(
          "simulation.profile must be one of "
              + String.join(", ", Profile.names())
              + ", was "
              + profile);
    }
    if (script != null && profile == null) {
      throw new IllegalArgumentException(
          "simulation.script needs simulation.profile, which is not set; script was " + script);
    }
  }
}
