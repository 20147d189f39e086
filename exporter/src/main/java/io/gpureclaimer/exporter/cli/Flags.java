package io.gpureclaimer.exporter.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The flags, as written; what is null was not given. */
@Command(
    name = "gpu-exporter",
    sortOptions = false,
    usageHelpWidth = 100,
    description = "Serves DCGM-style metrics of this machine's NVIDIA GPUs to Prometheus.",
    footer = {"", "A flag wins over its environment variable. NODE_NAME is the hostname label."})
final class Flags {
  static final String ADDRESS = "--address";
  static final String COLLECT_INTERVAL = "--collect-interval";
  static final String NVML_LIBRARY = "--nvml-library";
  static final String SIMULATE = "--simulate";
  static final String SIMULATE_SCRIPT = "--simulate-script";
  static final String PODS_FILE = "--pods-file";
  static final String KUBERNETES = "--kubernetes";
  static final String ENABLE_POD_UID = "--kubernetes-enable-pod-uid";
  static final String POD_RESOURCES_SOCKET = "--pod-resources-kubelet-socket";
  static final String LOG_FORMAT = "--log-format";

  @Option(
      names = {"-a", ADDRESS},
      paramLabel = "HOST:PORT",
      description = "Where to listen; default :9400 (DCGM_EXPORTER_LISTEN)")
  @Nullable String address;

  @Option(
      names = {"-c", COLLECT_INTERVAL},
      paramLabel = "MS",
      description = "Milliseconds between two readings; default 1000 (DCGM_EXPORTER_INTERVAL)")
  @Nullable String collectInterval;

  @Option(
      names = NVML_LIBRARY,
      paramLabel = "PATH",
      description =
          "The driver's libnvidia-ml.so.1; default: the usual places (GPU_EXPORTER_NVML_LIBRARY)")
  @Nullable String nvmlLibrary;

  @Option(
      names = SIMULATE,
      paramLabel = "PROFILE",
      description =
          "Simulate GPUs instead: h100x8, h200x8, a100x8, t4x4 or mixed (GPU_EXPORTER_SIMULATE)")
  @Nullable String simulate;

  @Option(
      names = SIMULATE_SCRIPT,
      paramLabel = "FILE",
      description = "What each simulated GPU does, in YAML (GPU_EXPORTER_SIMULATE_SCRIPT)")
  @Nullable String simulateScript;

  @Option(
      names = PODS_FILE,
      paramLabel = "FILE",
      description = "Which pod holds which GPU, in YAML or JSON (GPU_EXPORTER_PODS_FILE)")
  @Nullable String podsFile;

  @Option(
      names = {"-k", KUBERNETES},
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description =
          "Ask the kubelet which pod holds which GPU; default false (DCGM_EXPORTER_KUBERNETES)")
  @Nullable String kubernetes;

  @Option(
      names = ENABLE_POD_UID,
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description =
          "Ask the API server for the pods' uids; only with --kubernetes; default false"
              + " (DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID)")
  @Nullable String enablePodUid;

  @Option(
      names = POD_RESOURCES_SOCKET,
      paramLabel = "PATH",
      description =
          "The kubelet's socket; default /var/lib/kubelet/pod-resources/kubelet.sock"
              + " (DCGM_POD_RESOURCES_KUBELET_SOCKET)")
  @Nullable String podResourcesSocket;

  @Option(
      names = LOG_FORMAT,
      paramLabel = "FORMAT",
      description = "text or json; default text (DCGM_EXPORTER_LOG_FORMAT)")
  @Nullable String logFormat;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and leave")
  boolean help;

  @Option(names = "--version", versionHelp = true, description = "Print the version and leave")
  boolean version;
}
