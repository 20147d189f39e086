package io.gpureclaimer.deviceplugin.config;

/** What each flag is for, in a few words. */
final class Meaning {
  private Meaning() {}

  static String of(Flag flag) {
    return switch (flag) {
      case MIG_STRATEGY -> "how GPUs that MIG divides are offered: none, single or mixed";
      case FAIL_ON_INIT_ERROR -> "no effect: without a driver the agent stays and tries again";
      case DRIVER_ROOT -> "root of the driver's installation on the node";
      case DEV_ROOT -> "folder of the node below which its /dev is; by default the driver's root";
      case GDRCOPY -> "containers get GDRCopy";
      case GDS -> "containers get GPUDirect Storage";
      case MOFED -> "containers get InfiniBand of MOFED";
      case MPS_ROOT -> "folder of MPS on the node, needed to share by it";
      case DISCOVERY -> "auto or nvml, which are the same here";
      case NODE_FEATURE_API -> "no effect: see --node-labels";
      case PASS_DEVICE_SPECS -> "containers are given device files by the kubelet, too";
      case DEVICE_LIST ->
          "how containers get devices: envvar, volume-mounts, cdi-annotations, cdi-cri, or several";
      case DEVICE_ID -> "whether envvar and volume-mounts name devices by uuid or index";
      case CDI_ANNOTATION_PREFIX -> "what annotations of CDI begin with";
      case CDI_VENDOR -> "the first part of CDI names; our own";
      case CDI_HOOK -> "NVIDIA's hook program on the node; by default it is looked for";
      case CONTAINER_DRIVER_ROOT -> "where the driver's root is mounted for the agent";
      case SHARE_POLICY ->
          "which shares go first: distributed, packed, or spread, which is our own";
      case SHARE_BUDGET -> "containers are told the memory of their shares; our own";
      case CDI_FEATURE_FLAGS -> "no effect: NVIDIA's library is not used";
      case CDI_DISABLE_HOOKS -> "hooks that CDI specifications leave out, or all";
      case CDI_ENABLE_HOOKS -> "hooks that they leave out otherwise; our own";
      case IMEX_CHANNELS -> "IMEX channels of each container: none, or 0";
      case IMEX_REQUIRED -> "a container is refused if its channel is not there";
      case KUBELET_SOCKET -> "where the kubelet listens for device plugins";
      case ONESHOT -> "no effect: labels are kept as they should be";
      case NO_TIMESTAMP -> "no label tells when the agent was started";
      case SLEEP_INTERVAL -> "no effect: see device-plugin.survey-after";
      case OUTPUT_FILE -> "where Node Feature Discovery looks, for --node-labels=nfd-file";
      case MACHINE_TYPE_FILE -> "tells the machine's model";
    };
  }
}
