package io.gpureclaimer.deviceplugin.config;

import java.util.List;
import java.util.Optional;

/**
 * A setting that NVIDIA's device plugin or feature discovery has as a flag, and some of our own.
 * Its default is here and nowhere else.
 */
enum Flag {
  MIG_STRATEGY("none", "flags.migStrategy", "mig-strategy", "MIG_STRATEGY", "GFD_MIG_STRATEGY"),
  FAIL_ON_INIT_ERROR(
      "true",
      "flags.failOnInitError",
      "fail-on-init-error",
      "FAIL_ON_INIT_ERROR",
      "GFD_FAIL_ON_INIT_ERROR"),
  DRIVER_ROOT(
      "/", "flags.nvidiaDriverRoot", "driver-root,nvidia-driver-root", "NVIDIA_DRIVER_ROOT"),
  DEV_ROOT("", "flags.nvidiaDevRoot", "dev-root,nvidia-dev-root", "NVIDIA_DEV_ROOT"),
  GDRCOPY("false", "flags.gdrcopyEnabled", "gdrcopy-enabled", "GDRCOPY_ENABLED"),
  GDS("false", "flags.gdsEnabled", "gds-enabled", "GDS_ENABLED"),
  MOFED("false", "flags.mofedEnabled", "mofed-enabled", "MOFED_ENABLED"),
  MPS_ROOT("", "flags.mpsRoot", "mps-root", "MPS_ROOT"),
  DISCOVERY(
      "auto",
      "flags.deviceDiscoveryStrategy",
      "device-discovery-strategy",
      "DEVICE_DISCOVERY_STRATEGY"),
  NODE_FEATURE_API(
      "true",
      "flags.useNodeFeatureAPI",
      "use-node-feature-api",
      "USE_NODE_FEATURE_API",
      "GFD_USE_NODE_FEATURE_API"),
  PASS_DEVICE_SPECS(
      "false", "flags.plugin.passDeviceSpecs", "pass-device-specs", "PASS_DEVICE_SPECS"),
  DEVICE_LIST(
      "envvar", "flags.plugin.deviceListStrategy", "device-list-strategy", "DEVICE_LIST_STRATEGY"),
  DEVICE_ID("uuid", "flags.plugin.deviceIDStrategy", "device-id-strategy", "DEVICE_ID_STRATEGY"),
  CDI_ANNOTATION_PREFIX(
      "cdi.k8s.io/",
      "flags.plugin.cdiAnnotationPrefix",
      "cdi-annotation-prefix",
      "CDI_ANNOTATION_PREFIX"),
  CDI_VENDOR("k8s.device-plugin.nvidia.com", "flags.plugin.cdiVendor", "cdi-vendor", "CDI_VENDOR"),
  /** Where none is named, it is looked for. */
  CDI_HOOK(
      "",
      "flags.plugin.nvidiaCTKPath",
      "nvidia-cdi-hook-path,nvidia-ctk-path",
      "NVIDIA_CDI_HOOK_PATH",
      "NVIDIA_CTK_PATH"),
  CONTAINER_DRIVER_ROOT(
      "/driver-root",
      "flags.plugin.containerDriverRoot",
      "driver-root-ctr-path,container-driver-root",
      "DRIVER_ROOT_CTR_PATH",
      "CONTAINER_DRIVER_ROOT"),
  SHARE_POLICY(
      "distributed",
      "flags.plugin.sharedDevicesAllocationPolicy",
      "shared-devices-allocation-policy",
      "SHARED_DEVICES_ALLOCATION_POLICY"),
  SHARE_BUDGET(
      "false", "flags.plugin.sharedMemoryBudget", "shared-memory-budget", "SHARED_MEMORY_BUDGET"),
  CDI_FEATURE_FLAGS("", "", "cdi-feature-flags", "CDI_FEATURE_FLAGS"),
  CDI_DISABLE_HOOKS("", "", "cdi-disable-hooks", "CDI_DISABLE_HOOKS"),
  CDI_ENABLE_HOOKS("", "", "cdi-enable-hooks", "CDI_ENABLE_HOOKS"),
  IMEX_CHANNELS("", "imex.channelIDs", "imex-channel-ids", "IMEX_CHANNEL_IDS"),
  IMEX_REQUIRED("false", "imex.required", "imex-required", "IMEX_REQUIRED"),
  KUBELET_SOCKET(
      "/var/lib/kubelet/device-plugins/kubelet.sock", "", "kubelet-socket", "KUBELET_SOCKET"),
  ONESHOT("false", "flags.gfd.oneshot", "oneshot", "GFD_ONESHOT"),
  NO_TIMESTAMP("true", "flags.gfd.noTimestamp", "no-timestamp", "GFD_NO_TIMESTAMP"),
  SLEEP_INTERVAL("60s", "flags.gfd.sleepInterval", "sleep-interval", "GFD_SLEEP_INTERVAL"),
  OUTPUT_FILE(
      "/etc/kubernetes/node-feature-discovery/features.d/gfd",
      "flags.gfd.outputFile",
      "output-file",
      "GFD_OUTPUT_FILE"),
  MACHINE_TYPE_FILE(
      "/sys/class/dmi/id/product_name",
      "flags.gfd.machineTypeFile",
      "machine-type-file",
      "GFD_MACHINE_TYPE_FILE");

  private final String usual;
  private final String key;
  private final String options;
  private final String variables;

  Flag(String usual, String key, String options, String... variables) {
    this.usual = usual;
    this.key = key;
    this.options = options;
    this.variables = String.join(",", variables);
  }

  /** How values are written. */
  enum Form {
    TRUTH,
    TEXT,
    /** Joined by commas, or a list. */
    TEXTS,
    /** A list. */
    NUMBERS,
    DURATION
  }

  Form form() {
    return switch (this) {
      case FAIL_ON_INIT_ERROR,
          GDRCOPY,
          GDS,
          MOFED,
          NODE_FEATURE_API,
          PASS_DEVICE_SPECS,
          SHARE_BUDGET,
          IMEX_REQUIRED,
          ONESHOT,
          NO_TIMESTAMP ->
          Form.TRUTH;
      case DEVICE_LIST, CDI_FEATURE_FLAGS, CDI_DISABLE_HOOKS, CDI_ENABLE_HOOKS -> Form.TEXTS;
      case IMEX_CHANNELS -> Form.NUMBERS;
      case SLEEP_INTERVAL -> Form.DURATION;
      case MIG_STRATEGY,
          DRIVER_ROOT,
          DEV_ROOT,
          MPS_ROOT,
          DISCOVERY,
          DEVICE_ID,
          CDI_ANNOTATION_PREFIX,
          CDI_VENDOR,
          CDI_HOOK,
          CONTAINER_DRIVER_ROOT,
          SHARE_POLICY,
          KUBELET_SOCKET,
          OUTPUT_FILE,
          MACHINE_TYPE_FILE ->
          Form.TEXT;
    };
  }

  /** What holds where nobody says otherwise; empty for nothing. */
  String usual() {
    return usual;
  }

  /** Where it is in the config file; empty if it is not. */
  Optional<String> key() {
    return Optional.of(key).filter(path -> !path.isEmpty());
  }

  /** How it is called on the command line, without its dashes. */
  List<String> options() {
    return names(options);
  }

  /** The variables of the environment that set it, the one that wins first. */
  List<String> variables() {
    return names(variables);
  }

  private static List<String> names(String joined) {
    return joined.isEmpty() ? List.of() : List.of(joined.split(",", -1));
  }
}
