package io.gpureclaimer.reclaimer.evidence;

import java.util.Locale;

/**
 * Something besides the ledger that hints whether a pod works.
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

  /** Whether it could be told what it came to. */
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
}
