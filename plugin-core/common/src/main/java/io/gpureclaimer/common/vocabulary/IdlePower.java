package io.gpureclaimer.common.vocabulary;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The power above which a GPU works, by model, in W. A model that is not known has none.
 *
 * <p>A board whose memory holds a model idles far above a bare one, because its clocks stay up as
 * long as a CUDA context is there. The table has an estimate of what boards draw then; the limit is
 * a quarter above that.
 */
public final class IdlePower {
  private static final double MARGIN = 1.25;
  private static final Map<String, Double> WITH_CONTEXT =
      Map.ofEntries(
          Map.entry("h200", 125.0),
          Map.entry("h100 80gb hbm3", 125.0),
          Map.entry("h100 pcie", 90.0),
          Map.entry("h100 nvl", 100.0),
          Map.entry("a100-sxm4-80gb", 85.0),
          Map.entry("a100-sxm4-40gb", 75.0),
          Map.entry("a100 80gb pcie", 75.0),
          Map.entry("a100-pcie-40gb", 60.0),
          Map.entry("a30", 45.0),
          Map.entry("a40", 85.0),
          Map.entry("a10", 62.0),
          Map.entry("a10g", 62.0),
          Map.entry("l4", 33.0),
          Map.entry("l40", 90.0),
          Map.entry("l40s", 95.0),
          Map.entry("v100-sxm2-16gb", 65.0),
          Map.entry("v100-sxm2-32gb", 65.0),
          Map.entry("v100-pcie-16gb", 45.0),
          Map.entry("v100-pcie-32gb", 45.0),
          Map.entry("t4", 32.0));

  private final Map<String, Double> limits = new HashMap<>();

  /**
   * @param configured limits by model, in W, which win over the table
   */
  public IdlePower(Map<String, Double> configured) {
    WITH_CONTEXT.forEach((model, watts) -> limits.put(model, watts * MARGIN));
    configured.forEach((model, watts) -> limits.put(key(model), watts));
  }

  /** The table alone. */
  public static IdlePower builtIn() {
    return new IdlePower(Map.of());
  }

  /** The limit of a model as the driver spells it; empty if it is unknown. */
  public OptionalDouble limit(String model) {
    Double limit = limits.get(key(model));
    return limit == null ? OptionalDouble.empty() : OptionalDouble.of(limit);
  }

  /** Drivers before 470 did not say whose models they are. */
  private static String key(String model) {
    return model.toLowerCase(Locale.ROOT).strip().replaceFirst("^(nvidia|tesla)\\s+", "");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IdlePower power && power.limits.equals(limits);
  }

  @Override
  public int hashCode() {
    return limits.hashCode();
  }

  @Override
  public String toString() {
    return "IdlePower" + limits;
  }
}
