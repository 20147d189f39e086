package io.gpureclaimer.deviceplugin.cdi.spec;

import java.util.List;

/**
 * A file or folder of the host, in the container.
 *
 * @param hostPath on the host
 * @param containerPath in the container
 * @param options of the mount
 */
public record BindMount(String hostPath, String containerPath, List<String> options) {
  /** Nothing in it can be changed, and no device file or set-user-id program in it works. */
  private static final List<String> READ_ONLY =
      List.of("ro", "nosuid", "nodev", "rbind", "rprivate");

  /** Not read-only: a socket that cannot be written to cannot be talked to. */
  private static final List<String> SOCKET =
      List.of("nosuid", "nodev", "rbind", "rprivate", "noexec");

  public BindMount {
    options = List.copyOf(options);
  }

  public static BindMount readOnly(String hostPath, String containerPath) {
    return new BindMount(hostPath, containerPath, READ_ONLY);
  }

  public static BindMount socket(String hostPath, String containerPath) {
    return new BindMount(hostPath, containerPath, SOCKET);
  }
}
