package io.gpureclaimer.core.vocabulary;

/** The series in which an agent tells what each holder of a GPU uses of it. */
public final class UseMetrics {
  /** Share of time on the multiprocessors, from 0 to 1. */
  public static final String SM_UTILIZATION = "gpu_pod_sm_utilization_ratio";

  /** Bytes of frame buffer. */
  public static final String MEMORY_USED = "gpu_pod_memory_used_bytes";

  private UseMetrics() {}
}
