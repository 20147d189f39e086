package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;
import java.util.Map;

/** Answer to an allocation request. */
public sealed interface Allocation {

  /**
   * Content of the container's response; the kubelet keeps it for the life of the pod.
   *
   * @param env variables of its environment
   * @param mounts files and folders of the node
   * @param devices device files of the node
   * @param annotations of the container, for its runtime
   * @param cdiDevices qualified names, such as {@code vendor/class=name}
   */
  record Granted(
      Map<String, String> env,
      List<Mount> mounts,
      List<DeviceFile> devices,
      Map<String, String> annotations,
      List<String> cdiDevices)
      implements Allocation {
    public Granted {
      env = Map.copyOf(env);
      mounts = List.copyOf(mounts);
      devices = List.copyOf(devices);
      annotations = Map.copyOf(annotations);
      cdiDevices = List.copyOf(cdiDevices);
    }
  }

  /**
   * Refused; the pod fails with this text.
   *
   * @param reason what was asked for, why it cannot be, and what to change
   */
  record Refused(String reason) implements Allocation {}

  /** A file or folder of the node, in the container. */
  record Mount(String hostPath, String containerPath, boolean readOnly) {}

  /**
   * A device file of the node, in the container.
   *
   * @param permissions of {@code r}, {@code w} and {@code m}
   */
  record DeviceFile(String hostPath, String containerPath, String permissions) {}
}
