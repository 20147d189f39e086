package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Energy counter of one GPU against the power draw that nvidia-smi reports, over the time. */
final class EnergyComparison {
  static final String METRIC = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
  private static final double TOLERANCE = 0.15;

  private final String gpu;
  private @Nullable Reading first;
  private @Nullable Reading last;
  private double joulesByPower;

  EnergyComparison(String gpu) {
    this.gpu = gpu;
  }

  private record Reading(Instant at, double millijoules, double watts) {}

  /** Adds one reading; nothing if one of both is missing. */
  void add(Instant at, OptionalDouble millijoules, OptionalDouble watts) {
    if (millijoules.isEmpty() || watts.isEmpty()) {
      return;
    }
    var now = new Reading(at, millijoules.getAsDouble(), watts.getAsDouble());
    if (first == null) {
      first = now;
    }
    if (last != null) {
      double seconds = Duration.between(last.at(), at).toMillis() / 1_000.0;
      joulesByPower += seconds * (last.watts() + now.watts()) / 2;
    }
    last = now;
  }

  CheckRow row() {
    String subject = gpu + ": `" + METRIC + "` and `power.draw` over the time";
    String expected = String.format(Locale.ROOT, "± %.0f %%", 100 * TOLERANCE);
    if (first == null || last == null || joulesByPower == 0) {
      return CheckRow.notChecked(subject, expected, "one of both does not report it");
    }
    double joules = (last.millijoules() - first.millijoules()) / 1_000;
    return new CheckRow(
        subject,
        expected,
        String.format(Locale.ROOT, "%.0f J and %.0f J", joules, joulesByPower),
        Result.of(Math.abs(joules - joulesByPower) <= TOLERANCE * joulesByPower));
  }
}
