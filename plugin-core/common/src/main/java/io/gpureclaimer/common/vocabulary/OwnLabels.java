package io.gpureclaimer.common.vocabulary;

import java.util.Set;

/** The label names that our own series may have: no other label may use them. */
public final class OwnLabels {
  private static final Set<String> NAMES =
      Set.of(
          Labels.GPU,
          Labels.UUID,
          "uuid",
          Labels.PCI_BUS_ID,
          Labels.DEVICE,
          Labels.MODEL_NAME,
          "GPU_I_PROFILE",
          "GPU_I_ID",
          Labels.HOSTNAME,
          "Hostname",
          Labels.CONTAINER,
          Labels.NAMESPACE,
          Labels.POD,
          "container_name",
          "pod_namespace",
          "pod_name",
          Labels.POD_UID,
          Labels.SIGNAL,
          Labels.WATCHED,
          Labels.VGPU,
          Labels.HPC_JOB,
          "err_code",
          "err_msg",
          "xid",
          "window_size_in_ms",
          "clock_event",
          "health_watch",
          "health_error_code",
          "peer_gpu",
          "link_status",
          "le",
          "quantile",
          // Of the target that is scraped: with honor_labels ours would take their place.
          "job",
          "instance");

  private OwnLabels() {}

  /** Whether a name is ours, or may become so by a row of the counters file or a claim. */
  public static boolean contain(String name) {
    return NAMES.contains(name) || name.startsWith("DCGM_") || name.startsWith("dra_");
  }
}
