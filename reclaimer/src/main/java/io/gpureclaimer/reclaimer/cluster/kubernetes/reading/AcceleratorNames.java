package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import java.util.List;

/**
 * The extended resources that are accelerators but not whole NVIDIA GPUs. A pod that asks for one
 * of them holds something whose use we cannot count per device.
 */
final class AcceleratorNames {
  private static final String NVIDIA = "nvidia.com/";
  private static final String SHARED_SUFFIX = ".shared";

  private static final List<String> PREFIXES =
      List.of(
          "nvidia.com/mig-",
          "nvidia.com/gpumem",
          "nvidia.com/gpucores",
          "nvidia.com/vgpu",
          "nvidia.com/pgpu",
          "aliyun.com/gpu-",
          "volcano.sh/vgpu-",
          "tencent.com/vcuda-",
          "amd.com/",
          "gpu.intel.com/",
          "habana.ai/",
          "aws.amazon.com/neuron",
          "google.com/tpu",
          "cloud-tpus.google.com/",
          "huawei.com/",
          "cambricon.com/",
          "qualcomm.com/",
          "furiosa.ai/",
          "rebellions.ai/",
          "metax-tech.com/",
          "iluvatar.com/",
          "mthreads.com/",
          "enflame.com/",
          "hygon.com/");

  private AcceleratorNames() {}

  /** Whether the resource is a share, a slice, or another vendor's accelerator. */
  static boolean isOther(String resource) {
    return (resource.startsWith(NVIDIA) && resource.endsWith(SHARED_SUFFIX))
        || PREFIXES.stream().anyMatch(resource::startsWith);
  }
}
