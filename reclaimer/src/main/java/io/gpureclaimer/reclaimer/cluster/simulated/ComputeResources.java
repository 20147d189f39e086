package io.gpureclaimer.reclaimer.cluster.simulated;

import java.util.HashMap;
import java.util.Map;

/**
 * CPU and memory that a node can allocate, or that a pod requests.
 *
 * @param cpuMillis thousandths of a core
 */
public record ComputeResources(long cpuMillis, long memoryBytes) {

  /** Of a pod that requests none. */
  public static final ComputeResources NONE = new ComputeResources(0, 0);

  private static final long BYTES_PER_MIB = 1 << 20;
  private static final long THOUSAND = 1000;

  /** What kube-scheduler counts for a pod without a request when it compares nodes. */
  private static final ComputeResources USUAL = ofMib(100, 200);

  public ComputeResources {
    if (cpuMillis < 0 || memoryBytes < 0) {
      throw new IllegalArgumentException(
          "CPU and memory must not be negative, was " + cpuMillis + " and " + memoryBytes);
    }
  }

  /** The same amount of memory in MiB. */
  public static ComputeResources ofMib(long cpuMillis, long memoryMib) {
    return new ComputeResources(cpuMillis, memoryMib * BYTES_PER_MIB);
  }

  ComputeResources plus(ComputeResources other) {
    return new ComputeResources(cpuMillis + other.cpuMillis, memoryBytes + other.memoryBytes);
  }

  ComputeResources minus(ComputeResources other) {
    return new ComputeResources(cpuMillis - other.cpuMillis, memoryBytes - other.memoryBytes);
  }

  /** Amounts that are not zero by resource name, in thousandths. */
  Map<String, Long> byName() {
    Map<String, Long> amounts = new HashMap<>();
    if (cpuMillis > 0) {
      amounts.put("cpu", cpuMillis);
    }
    if (memoryBytes > 0) {
      amounts.put("memory", memoryBytes * THOUSAND);
    }
    return amounts;
  }

  /** With usual amounts in place of those that are not requested. */
  ComputeResources orUsual() {
    return new ComputeResources(
        cpuMillis == 0 ? USUAL.cpuMillis : cpuMillis,
        memoryBytes == 0 ? USUAL.memoryBytes : memoryBytes);
  }
}
