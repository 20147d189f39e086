package io.gpureclaimer.core.cdi;

import java.util.List;

/**
 * What is added to a container.
 *
 * @param env variables, each {@code NAME=value}
 * @param nodes device files
 * @param mounts files and folders of the host
 * @param hooks programs that the runtime runs while it makes the container
 */
record ContainerEdits(
    List<String> env, List<DeviceNode> nodes, List<BindMount> mounts, List<CdiHook> hooks) {
  static final ContainerEdits NONE = new ContainerEdits(List.of(), List.of(), List.of(), List.of());

  ContainerEdits {
    env = List.copyOf(env);
    nodes = List.copyOf(nodes);
    mounts = List.copyOf(mounts);
    hooks = List.copyOf(hooks);
  }

  boolean isEmpty() {
    return env.isEmpty() && nodes.isEmpty() && mounts.isEmpty() && hooks.isEmpty();
  }
}
