package io.gpureclaimer.deviceplugin.cdi.spec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is added to a container.
 *
 * @param env variables, each {@code NAME=value}
 * @param nodes device files
 * @param mounts files and folders of the host
 * @param hooks programs that the runtime runs while it makes the container
 */
public record ContainerEdits(
    List<String> env, List<DeviceNode> nodes, List<BindMount> mounts, List<CdiHook> hooks) {
  public static final ContainerEdits NONE =
      new ContainerEdits(List.of(), List.of(), List.of(), List.of());

  public ContainerEdits {
    env = List.copyOf(env);
    nodes = List.copyOf(nodes);
    mounts = List.copyOf(mounts);
    hooks = List.copyOf(hooks);
  }

  public boolean isEmpty() {
    return env.isEmpty() && nodes.isEmpty() && mounts.isEmpty() && hooks.isEmpty();
  }

  /**
   * A program that the runtime runs when the container's files are in place, before it starts.
   *
   * @param path of the program, on the host
   * @param args its arguments, its own name the first
   * @param env its environment, each {@code NAME=value}
   */
  public record CdiHook(String path, List<String> args, List<String> env) {
    /** The only moment that we use. */
    static final String MOMENT = "createContainer";

    public CdiHook {
      args = List.copyOf(args);
      env = List.copyOf(env);
    }
  }

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

  /**
   * A device file. The runtime reads its numbers and its mode from the host's file, unless they are
   * given.
   *
   * @param path in the container
   * @param hostPath on the host; null if it is the same
   * @param number what to make it from where the host has no such file; null to read the host's
   */
  public record DeviceNode(
      String path, @Nullable String hostPath, @Nullable DeviceFileNumber number) {

    /**
     * The numbers of a character device.
     *
     * @param major of its driver
     * @param minor of the device
     */
    public record DeviceFileNumber(int major, int minor) {}
  }
}
