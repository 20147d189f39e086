package io.gpureclaimer.deviceplugin.config;

import java.util.List;
import java.util.Optional;

/**
 * Flag of NVIDIA's device plugin or feature discovery, and some of our own. Everything that there
 * is to know of a flag is in this table and nowhere else.
 */
public enum PluginFlag {
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

  private final String defaultValue;
  private final String key;
  private final String options;
  private final String variables;

  PluginFlag(String defaultValue, String key, String options, String... variables) {
    this.defaultValue = defaultValue;
    this.key = key;
    this.options = options;
    this.variables = String.join(",", variables);
  }

  /** How values are written. */
  public enum FlagType {
    BOOL,
    TEXT,
    /** Joined by commas, or a list. */
    TEXTS,
    /** A list. */
    NUMBERS,
    DURATION
  }

  /** How values are written. */
  public FlagType type() {
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
          FlagType.BOOL;
      case DEVICE_LIST, CDI_FEATURE_FLAGS, CDI_DISABLE_HOOKS, CDI_ENABLE_HOOKS -> FlagType.TEXTS;
      case IMEX_CHANNELS -> FlagType.NUMBERS;
      case SLEEP_INTERVAL -> FlagType.DURATION;
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
          FlagType.TEXT;
    };
  }

  /** Help text. */
  public String help() {
    return switch (this) {
      case MIG_STRATEGY -> "how GPUs in MIG mode are advertised: none, single or mixed";
      case FAIL_ON_INIT_ERROR -> "no effect: without a driver the agent stays and tries again";
      case DRIVER_ROOT -> "root of the driver's installation on the node";
      case DEV_ROOT -> "folder of the node below which its /dev is; by default the driver's root";
      case GDRCOPY -> "containers get GDRCopy";
      case GDS -> "containers get GPUDirect Storage";
      case MOFED -> "containers get InfiniBand of MOFED";
      case MPS_ROOT -> "host folder of MPS; required for sharing by MPS";
      case DISCOVERY -> "auto or nvml, which are the same here";
      case NODE_FEATURE_API -> "no effect: see --node-labels";
      case PASS_DEVICE_SPECS ->
          "also return device files in the Allocate response, so that the kubelet passes them to the container";
      case DEVICE_LIST ->
          "how containers get devices: envvar, volume-mounts, cdi-annotations, cdi-cri, or several";
      case DEVICE_ID -> "whether envvar and volume-mounts name devices by uuid or index";
      case CDI_ANNOTATION_PREFIX -> "prefix of CDI annotations";
      case CDI_VENDOR -> "vendor in CDI device names; not in NVIDIA's plugin";
      case CDI_HOOK ->
          "path of NVIDIA's CDI hook program on the node; by default the usual places are searched";
      case CONTAINER_DRIVER_ROOT -> "where the driver's root is mounted for the agent";
      case SHARE_POLICY ->
          "which replicas of shared GPUs are allocated first: distributed, packed, or spread (not in NVIDIA's plugin)";
      case SHARE_BUDGET ->
          "give containers the memory of their replicas in an environment variable; not in NVIDIA's plugin";
      case CDI_FEATURE_FLAGS -> "no effect: NVIDIA's library is not used";
      case CDI_DISABLE_HOOKS -> "hooks that CDI specifications leave out, or all";
      case CDI_ENABLE_HOOKS ->
          "hooks to include in CDI specifications that are off by default; not in NVIDIA's plugin";
      case IMEX_CHANNELS -> "IMEX channels of each container: none, or 0";
      case IMEX_REQUIRED -> "a container is refused if its channel is not there";
      case KUBELET_SOCKET -> "where the kubelet listens for device plugins";
      case ONESHOT -> "no effect: labels are kept as they should be";
      case NO_TIMESTAMP -> "omits the label with the start time of the agent";
      case SLEEP_INTERVAL -> "no effect: see device-plugin.survey-after";
      case OUTPUT_FILE -> "where Node Feature Discovery looks, for --node-labels=nfd-file";
      case MACHINE_TYPE_FILE -> "file with the machine's model";
    };
  }

  /** Whether the flag may be given several times, and then has all the values. */
  public boolean isList() {
    return type() == FlagType.TEXTS || type() == FlagType.NUMBERS;
  }

  /** The value if none is given; empty for none. */
  public String defaultValue() {
    return defaultValue;
  }

  /** Key in the config file; empty if it has none. */
  Optional<String> key() {
    return Optional.of(key).filter(path -> !path.isEmpty());
  }

  /** Names on the command line, without dashes, the usual one first. */
  public List<String> options() {
    return names(options);
  }

  /** Environment variables, the one that wins first. */
  public List<String> variables() {
    return names(variables);
  }

  private static List<String> names(String joined) {
    return joined.isEmpty() ? List.of() : List.of(joined.split(",", -1));
  }
}
