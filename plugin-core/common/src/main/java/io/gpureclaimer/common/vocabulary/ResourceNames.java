package io.gpureclaimer.common.vocabulary;

/** The extended resources under which Kubernetes counts GPUs. */
public final class ResourceNames {
  public static final String GPU = "nvidia.com/gpu";

  /** The usual name of replicas of shared GPUs, where they are renamed. */
  public static final String SHARED_GPU = GPU + ".shared";

  /**
   * What the names of all resources of NVIDIA's device plugin begin with, MIG and shared GPUs
   * included.
   */
  public static final String PREFIX = "nvidia.com/";

  /** What the names of resources that are instances of a MIG profile begin with. */
  public static final String MIG_PREFIX = PREFIX + "mig-";

  /** What Kubernetes' names of devices by their DeviceClass begin with. */
  public static final String CLASS_PREFIX = "deviceclass.resource.kubernetes.io/";

  private ResourceNames() {}
}
