package io.gpureclaimer.common.vocabulary;

/** The labels of our series, spelled as dcgm-exporter spells them. */
public final class Labels {
  public static final String GPU = "gpu";
  public static final String UUID = "UUID";
  public static final String PCI_BUS_ID = "pci_bus_id";
  public static final String DEVICE = "device";
  public static final String MODEL_NAME = "modelName";
  public static final String GPU_INSTANCE_PROFILE = "GPU_I_PROFILE";
  public static final String GPU_INSTANCE_ID = "GPU_I_ID";
  public static final String HOSTNAME = "hostname";
  public static final String CONTAINER = "container";
  public static final String NAMESPACE = "namespace";
  public static final String POD = "pod";
  public static final String POD_UID = "pod_uid";
  public static final String VGPU = "vgpu";
  public static final String HPC_JOB = "hpc_job";
  public static final String CLAIM_NAME = "dra_claim_name";
  public static final String CLAIM_NAMESPACE = "dra_claim_namespace";
  public static final String CLAIM_DRIVER = "dra_driver_name";
  public static final String CLAIM_POOL = "dra_pool_name";
  public static final String CLAIM_DEVICE = "dra_device_name";
  public static final String CLAIM_MIG_PROFILE = "dra_mig_profile";
  public static final String CLAIM_MIG_UUID = "dra_mig_device_uuid";

  /** Which signal of a device was last above its limit, and which of them the agent watches. */
  public static final String SIGNAL = "signal";

  public static final String WATCHED = "watched";

  /** The labels of an NVLink's series, of which those of its GPU are spelled otherwise. */
  public static final String NVLINK = "nvlink";

  public static final String GPU_UUID_OF_LINK = "gpu_uuid";
  public static final String MODEL_NAME_OF_LINK = "model_name";

  private Labels() {}
}
