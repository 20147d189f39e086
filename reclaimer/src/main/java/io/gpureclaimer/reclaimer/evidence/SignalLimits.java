package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which signals are looked at, and above which values they say that a pod works.
 *
 * @param kinds those that are looked at
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

  /** Nothing is looked at. */
  public static SignalLimits none() {
    return new SignalLimits(Set.of(), new IdlePower(Map.of()), 0, 0, 0, 0, List.of());
  }

  /** Whether this is looked at. */
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
      case PCIE -> signal(kind, value, pcieBytesPerSecond, "PCIe traffic of " + device + " in B/s");
      case NVLINK ->
          signal(kind, value, nvlinkBytesPerSecond, "NVLink traffic of " + device + " in B/s");
      case CPU, REQUESTS, JUPYTER -> Optional.empty();
    };
  }

  private static Optional<Signal> signal(SignalKind kind, double value, double limit, String what) {
    return Optional.of(new Signal(kind, value, limit, what));
  }

  /**
   * Work of a pod's CPUs; the limit is that of a pod with one GPU. It is no number if it was told
   * some minutes ago and is no longer.
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
        SignalKind.JUPYTER, servers, 0, "Jupyter servers used within 15 minutes" + ifLost(servers));
  }

  private static String ifLost(double value) {
    return Double.isNaN(value) ? " (told 10 minutes ago)" : "";
  }
}
