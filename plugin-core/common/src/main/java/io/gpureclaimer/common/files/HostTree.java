package io.gpureclaimer.common.files;

import java.nio.file.Path;

/**
 * A folder of the host, and its mount point.
 *
 * @param here where it is mounted for us, such as {@code /driver-root}
 * @param onHost its path on the host, such as {@code /} or {@code /run/nvidia/driver}
 */
public record HostTree(Path here, String onHost) {
  public HostTree {
    if (!onHost.startsWith("/")) {
      throw new IllegalArgumentException(
          "a folder of the host must be an absolute path, was \"" + onHost + '"');
    }
    if (onHost.length() > 1 && onHost.endsWith("/")) {
      onHost = onHost.substring(0, onHost.length() - 1);
    }
  }

  /** Whether it is all of the host's files. */
  public boolean isAll() {
    return onHost.equals("/");
  }

  /** Where the host has what is at this path within the folder. */
  public String hostPath(String within) {
    return isAll() ? within : onHost + within;
  }
}
