package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.IdlePower;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    POWER(BoardSignal.POWER),
    /** Memory of the GPU in use, against what it was. */
    MEMORY(BoardSignal.MEMORY),
    /** Bytes over PCIe. */
    PCIE(BoardSignal.PCIE),
    /** Bytes over NVLink. */
    NVLINK(BoardSignal.NVLINK),
    /** Cores that the pod keeps busy. */
    CPU("cpu"),
    /** Requests that it served. */
    REQUESTS("requests"),
    /**
     * Whether its Jupyter server was used: by a cell that began, ended or printed, or by people.
     */
    JUPYTER("jupyter");

    private final String code;
    private final boolean ofBoards;

    SignalKind(String code) {
      this.code = code;
      this.ofBoards = false;
    }

    SignalKind(BoardSignal signal) {
      this.code = signal.code();
      this.ofBoards = true;
    }

    /** Whether it is one of boards, not of pods. */
    public boolean isOfBoards() {
      return ofBoards;
    }

    /** The signal of boards of that name, if there is one. */
    public static Optional<SignalKind> ofBoards(String code) {
      return Arrays.stream(values())
          .filter(kind -> kind.ofBoards && kind.code.equals(code))
          .findFirst();
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
   * @param usesAgents whether what agents recorded of boards may replace queries
   */
  public record SignalLimits(
      Set<SignalKind> kinds,
      IdlePower power,
      double memoryMebibytes,
      double pcieBytesPerSecond,
      double nvlinkBytesPerSecond,
      double coresPerGpu,
      List<String> requestCounters,
      boolean usesAgents) {
    public SignalLimits {
      kinds = Set.copyOf(kinds);
      requestCounters = List.copyOf(requestCounters);
    }

    /** The same by queries alone. */
    public SignalLimits withoutAgents() {
      return new SignalLimits(
          kinds,
          power,
          memoryMebibytes,
          pcieBytesPerSecond,
          nvlinkBytesPerSecond,
          coresPerGpu,
          requestCounters,
          false);
    }

    /** The signals of boards that are queried. */
    public Set<SignalKind> ofBoards() {
      return kinds.stream().filter(SignalKind::isOfBoards).collect(Collectors.toSet());
    }

    /** Those that agents judge by the same limits. */
    public Set<SignalKind> judgedByAgents() {
      return usesAgents
          ? ofBoards().stream().filter(this::hasDefaultLimit).collect(Collectors.toSet())
          : Set.of();
    }

    private boolean hasDefaultLimit(SignalKind kind) {
      return switch (kind) {
        case POWER -> power.equals(IdlePower.builtIn());
        case MEMORY -> memoryMebibytes == BoardSignal.MEMORY_MEBIBYTES;
        case PCIE -> pcieBytesPerSecond == BoardSignal.BYTES_PER_SECOND;
        case NVLINK -> nvlinkBytesPerSecond == BoardSignal.BYTES_PER_SECOND;
        case CPU, REQUESTS, JUPYTER -> false;
      };
    }

    /** No signal is queried. */
    public static SignalLimits none() {
      return new SignalLimits(Set.of(), new IdlePower(Map.of()), 0, 0, 0, 0, List.of(), true);
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

    /** A signal that the agent of a device recorded a moment ago. */
    static Signal byAgent(SignalKind kind, String device) {
      return new Signal(
          kind,
          1,
          0,
          "GPUs whose "
              + kind.code()
              + " was above its limit or not known within 2 minutes, by the agent of "
              + device);
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
  }
}
