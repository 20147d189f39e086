package io.gpureclaimer.common.vocabulary;

/**
 * How devices are called in the Container Device Interface. A name stays what it is for as long as
 * the device exists: the kubelet keeps it for the life of the pod.
 *
 * @param vendor the first part of every name
 */
public record CdiNames(String vendor) {
  /** NVIDIA's device plugin's. */
  public static final CdiNames NVIDIA = new CdiNames("k8s.device-plugin.nvidia.com");

  /** The class of GPUs and MIG devices. */
  public static final String GPU_CLASS = "gpu";

  /** The class of channels of the NVLink fabric. */
  public static final String IMEX_CLASS = "imex-channel";

  /** The kind of a specification: {@code vendor/class}. */
  public String kind(String cdiClass) {
    return vendor + '/' + cdiClass;
  }

  /** A GPU or MIG device, with its kind. */
  public String device(String uuid) {
    return kind(GPU_CLASS) + '=' + deviceName(uuid);
  }

  /** A channel of the NVLink fabric, with its kind. */
  public String imexChannel(int channel) {
    return kind(IMEX_CLASS) + '=' + channel;
  }

  /** Everything of a class that knows no single devices, with its kind. */
  public String all(String cdiClass) {
    return kind(cdiClass) + "=all";
  }

  /** A device within its kind. Drivers before 470 have slashes in UUIDs, which CDI does not. */
  public static String deviceName(String uuid) {
    return uuid.replace('/', '-');
  }
}
