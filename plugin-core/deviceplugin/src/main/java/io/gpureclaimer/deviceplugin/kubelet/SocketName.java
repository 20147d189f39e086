package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/** Names of sockets in the kubelet's folder: recognizable, and never reused. */
final class SocketName {
  static final String PREFIX = "gpu-reclaimer-";

  /** What the JDK takes as the path of a socket, in bytes; the kernel takes one more. */
  static final int LONGEST_PATH = 106;

  /** The folder as the kubelet names it, wherever it is mounted for us. */
  private static final int KUBELETS_FOLDER = "/var/lib/kubelet/device-plugins/".length();

  private SocketName() {}

  /**
   * As much of the resource's name as there is room for, and the number.
   *
   * @return empty if the path of the folder leaves no room
   */
  static Optional<String> of(Path folder, ResourceName resource, int number) {
    String end = "-" + HexFormat.of().toHexDigits(number) + ".sock";
    int room = LONGEST_PATH - Math.max(bytes(folder) + 1, KUBELETS_FOLDER);
    int left = room - PREFIX.length() - end.length();
    String tail = resource.tail();
    return left < 1
        ? Optional.empty()
        : Optional.of(PREFIX + tail.substring(0, Math.min(left, tail.length())) + end);
  }

  /** Whether a socket of this name is for the same resource as another one. */
  static boolean alike(String name, String other) {
    return stem(name).equals(stem(other));
  }

  private static String stem(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('-')));
  }

  private static int bytes(Path folder) {
    return folder.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
