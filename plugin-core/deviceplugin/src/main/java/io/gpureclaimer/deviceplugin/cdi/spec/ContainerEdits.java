package io.gpureclaimer.deviceplugin.cdi.spec;

import java.util.List;

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
}
