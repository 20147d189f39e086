package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which extended resources are whole GPUs, which are MIG instances, and which are accelerators
 * whose use cannot be counted per device.
 *
 * @param gpus the names under which the cluster offers whole GPUs
 */
public record AcceleratorNames(Set<String> gpus) {
  /** The default name of whole GPUs in NVIDIA's device plugin. */
  public static final AcceleratorNames USUAL = new AcceleratorNames(Set.of(ResourceNames.GPU));

  private static final String SHARED_SUFFIX = ".shared";
  private static final String QUOTA_PREFIX = "requests.";

  /** What the names of quotas of claimed devices end with, after that of their DeviceClass. */
  private static final String CLASS_QUOTA_SUFFIX = ".deviceclass.resource.k8s.io/devices";

  private static final Set<String> NO_DEVICES =
      Set.of("cpu", "memory", "ephemeral-storage", "pods");

  private static final List<String> OTHERS =
      List.of(
          "nvidia.com/gpumem",
          "nvidia.com/gpucores",
          "nvidia.com/priority",
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

  public AcceleratorNames {
    gpus = Set.copyOf(gpus);
    gpus.forEach(AcceleratorNames::requireWholeGpus);
  }

  /** Whether the resource is whole GPUs. */
  boolean isGpu(String resource) {
    return gpus.contains(resource);
  }

  /** The MIG profile that the resource is instances of, for example {@code 1g.10gb}. */
  static Optional<String> profile(String resource) {
    return resource.startsWith(ResourceNames.MIG_PREFIX)
            && resource.length() > ResourceNames.MIG_PREFIX.length()
            && !resource.endsWith(SHARED_SUFFIX)
        ? Optional.of(resource.substring(ResourceNames.MIG_PREFIX.length()))
        : Optional.empty();
  }

  /** Whether the resource is replicas of shared GPUs or MIG instances, by its name. */
  boolean isReplicas(String resource) {
    return resource.endsWith(SHARED_SUFFIX)
        && (resource.startsWith(ResourceNames.PREFIX) || gpus.contains(unshared(resource)));
  }

  /** The name under which devices of a resource count; empty if they do not. */
  public Optional<String> counted(String resource) {
    if (isGpu(resource)) {
      return Optional.of(ResourceNames.GPU);
    }
    return profile(resource).isPresent() || isReplicas(resource)
        ? Optional.of(resource)
        : Optional.empty();
  }

  /** The same of what a ResourceQuota limits, which may also be claimed devices of a class. */
  Optional<String> ofQuota(String limited) {
    if (limited.endsWith(CLASS_QUOTA_SUFFIX)) {
      int end = limited.length() - CLASS_QUOTA_SUFFIX.length();
      return Optional.of(ResourceNames.CLASS_PREFIX + limited.substring(0, end));
    }
    return limited.startsWith(QUOTA_PREFIX)
        ? counted(limited.substring(QUOTA_PREFIX.length()))
        : Optional.empty();
  }

  /** Whether a resource of Kueue may be devices: those of claims may have any other name. */
  static boolean mayBeDevices(String resource) {
    return !NO_DEVICES.contains(resource);
  }

  /** Whether the resource is another vendor's accelerator, or a part of GPUs. */
  boolean isOther(String resource) {
    return !isGpu(resource) && OTHERS.stream().anyMatch(resource::startsWith);
  }

  private static String unshared(String resource) {
    return resource.substring(0, resource.length() - SHARED_SUFFIX.length());
  }

  private static void requireWholeGpus(String name) {
    if (name.indexOf('/') < 1
        || name.endsWith(SHARED_SUFFIX)
        || name.startsWith(ResourceNames.MIG_PREFIX)) {
      throw new IllegalArgumentException(
          "expected the name of an extended resource that is whole GPUs, such as "
              + ResourceNames.GPU
              + ", was "
              + name);
    }
  }
}
