package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A measurement other than the ledger that hints whether a pod works.
 *
 * @param kind what was measured
 * @param value what it came to
 * @param limit above which it counts as work
 * @param what for people: what was measured where, with its unit, for example {@code power of GPU-1
 *     in W}
 */
public record Signal(SignalKind kind, double value, double limit, String what) {

  /** Whether it says that the pod works. What is no number says so too: it cannot be trusted. */
  public boolean saysWork() {
    return !(value <= limit);
  }

  /** Whether its value is known. */
  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  /** The value as people write it, with at most two digits after the point. */
  public String valueText() {
    return text(value);
  }

  /** The same of the limit. */
  public String limitText() {
    return text(limit);
  }

  private static String text(double number) {
    return Double.isNaN(number)
        ? "not known"
        : String.format(Locale.ROOT, Math.rint(number) == number ? "%.0f" : "%.2f", number);
  }

  /** The same against the work that so many devices would keep a CPU at. */
  Signal per(int devices) {
    return kind == SignalKind.CPU && devices > 1
        ? new Signal(kind, value, limit * devices, what)
        : this;
  }

  /** What can be measured. */
  public enum SignalKind {
    /** Power that the board draws, against what it draws when idle. */
    POWER("power"),
    /** Memory of the GPU in use, against what it was. */
    MEMORY("memory"),
    /** Bytes over PCIe. */
    PCIE("pcie"),
    /** Bytes over NVLink. */
    NVLINK("nvlink"),
    /** Cores that the pod keeps busy. */
    CPU("cpu"),
    /** Requests that it served. */
    REQUESTS("requests"),
    /**
     * Whether its Jupyter server was used: by a cell that began, ended or printed, or by people.
     */
    JUPYTER("jupyter");

    private final String code;

    SignalKind(String code) {
      this.code = code;
    }

    /** The stable name, for configuration, metrics and JSON. */
    public String code() {
      return code;
    }
  }

  /**
   * Which signals are queried, and above which values they say that a pod works.
   *
   * @param kinds those that are queried
   * @param power by model, in W
   * @param memoryMebibytes by which the memory in use may rise within ten minutes
   * @param pcieBytesPerSecond over PCIe, in the busier direction
   * @param nvlinkBytesPerSecond over NVLink, in the busier direction
   * @param coresPerGpu that a pod may keep busy for each of its GPUs
   * @param requestCounters the counters of requests that servers have
   */
  public record SignalLimits(
      Set<SignalKind> kinds,
      IdlePower power,
      double memoryMebibytes,
      double pcieBytesPerSecond,
      double nvlinkBytesPerSecond,
      double coresPerGpu,
      List<String> requestCounters) {
    public SignalLimits {
      kinds = Set.copyOf(kinds);
      requestCounters = List.copyOf(requestCounters);
    }

    /** No signal is queried. */
    public static SignalLimits none() {
      return new SignalLimits(Set.of(), new IdlePower(Map.of()), 0, 0, 0, 0, List.of());
    }

    /** Whether this is queried. */
    public boolean has(SignalKind kind) {
      return kinds.contains(kind);
    }

    /**
     * A signal of a device.
     *
     * @param value in W, MiB more than some minutes ago, or bytes per second
     * @return empty if the kind is not one of devices, or the power of an idle board is not known
     */
    public Optional<Signal> ofDevice(SignalKind kind, String device, String model, double value) {
      return switch (kind) {
        case POWER -> {
          var limit = power.limit(model);
          yield limit.isEmpty()
              ? Optional.empty()
              : signal(kind, value, limit.getAsDouble(), "power of " + device + " in W");
        }
        case MEMORY ->
            signal(
                kind,
                value,
                memoryMebibytes,
                "memory of " + device + " filled within 10 minutes in MiB");
        case PCIE ->
            signal(kind, value, pcieBytesPerSecond, "PCIe traffic of " + device + " in B/s");
        case NVLINK ->
            signal(kind, value, nvlinkBytesPerSecond, "NVLink traffic of " + device + " in B/s");
        case CPU, REQUESTS, JUPYTER -> Optional.empty();
      };
    }

    private static Optional<Signal> signal(
        SignalKind kind, double value, double limit, String what) {
      return Optional.of(new Signal(kind, value, limit, what));
    }

    /**
     * Work of a pod's CPUs; the limit is that of a pod with one GPU. It is not a number if it was
     * reported some minutes ago and is no longer.
     */
    public Signal cpu(double cores) {
      return new Signal(SignalKind.CPU, cores, coresPerGpu, "cores kept busy" + ifLost(cores));
    }

    /** The same of the requests that a pod's server has counted. */
    public Signal requests(String counter, double count) {
      return new Signal(
          SignalKind.REQUESTS,
          count,
          0,
          "requests by " + counter + " within 15 minutes" + ifLost(count));
    }

    /** How many Jupyter servers of a pod were used. */
    public Signal jupyter(double servers) {
      return new Signal(
          SignalKind.JUPYTER,
          servers,
          0,
          "Jupyter servers used within 15 minutes" + ifLost(servers));
    }

    private static String ifLost(double value) {
      return Double.isNaN(value) ? " (last reported 10 minutes ago)" : "";
    }

    /**
     * The power above which a GPU works, by model, in W. A model that is not known has none.
     *
     * <p>A board whose memory holds a model idles far above a bare one, because its clocks stay up
     * as long as a CUDA context is there. The table has an estimate of what boards draw then; the
     * limit is a quarter above that.
     */
    public static final class IdlePower {
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
  }
}
