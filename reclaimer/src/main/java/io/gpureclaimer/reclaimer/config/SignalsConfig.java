package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Signals of work in addition to the activity of GPUs. Bound from {@code evidence.signals.*}.
 *
 * @param kinds which signals; {@code none} for none
 * @param powerLimits power in watts above which a board works, each as {@code MODEL=WATTS};
 *     overrides the built-in table
 * @param memoryMebibytes rise of the used memory within ten minutes above which a GPU works
 * @param pcieBytesPerSecond PCIe traffic in the busier direction above which a GPU works
 * @param nvlinkBytesPerSecond NVLink traffic in the busier direction above which a GPU works
 * @param coresPerGpu busy CPU cores for each GPU above which a pod works
 * @param requestCounters names of the request counters of inference servers
 */
@Context
@ConfigurationProperties("evidence.signals")
public record SignalsConfig(
    List<String> kinds,
    List<String> powerLimits,
    double memoryMebibytes,
    double pcieBytesPerSecond,
    double nvlinkBytesPerSecond,
    double coresPerGpu,
    List<String> requestCounters) {
  private static final String PREFIX = "evidence.signals.";

  public SignalsConfig {
    kinds = List.copyOf(kinds);
    powerLimits = List.copyOf(powerLimits);
    requestCounters = List.copyOf(requestCounters);
    kinds(kinds);
    limits(powerLimits);
    requireNotNegative("memory-mebibytes", memoryMebibytes);
    requireNotNegative("pcie-bytes-per-second", pcieBytesPerSecond);
    requireNotNegative("nvlink-bytes-per-second", nvlinkBytesPerSecond);
    requireNotNegative("cores-per-gpu", coresPerGpu);
    for (String counter : requestCounters) {
      if (!counter.matches("[a-zA-Z_:][a-zA-Z0-9_:]*")) {
        throw new IllegalArgumentException(
            PREFIX + "request-counters must be names of metrics, was " + counter);
      }
    }
  }

  /** The same for the sources. */
  public SignalLimits limits() {
    return new SignalLimits(
        kinds(kinds),
        new IdlePower(limits(powerLimits)),
        memoryMebibytes,
        pcieBytesPerSecond,
        nvlinkBytesPerSecond,
        coresPerGpu,
        requestCounters,
        true);
  }

  private static Set<SignalKind> kinds(List<String> codes) {
    return Property.choices(PREFIX + "kinds", codes, SignalKind.values(), SignalKind::code);
  }

  private static Map<String, Double> limits(List<String> entries) {
    var limits = new HashMap<String, Double>();
    for (String entry : entries) {
      String[] parts = entry.split("=", -1);
      if (parts.length != 2 || parts[0].isBlank() || !parts[1].matches("\\d{1,5}(\\.\\d{1,3})?")) {
        throw new IllegalArgumentException(
            PREFIX + "power-limits must be like NVIDIA L4=42, was " + entry);
      }
      limits.put(parts[0], Double.valueOf(parts[1]));
    }
    return limits;
  }

  private static void requireNotNegative(String name, double value) {
    if (!(value >= 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(
          PREFIX + name + " must be a number and not negative, was " + value);
    }
  }
}
