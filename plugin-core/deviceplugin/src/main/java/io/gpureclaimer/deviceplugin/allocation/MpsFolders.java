package io.gpureclaimer.deviceplugin.allocation;

import java.nio.file.Path;

/** The folders by which a container reaches the MPS daemon of its resource. */
public enum MpsFolders {
  /** The sockets of the daemon. */
  PIPE {
    @Override
    public String inContainer(ResourceName name) {
      return "/mps/" + name + "/pipe";
    }

    @Override
    public String onNode(Path root, ResourceName name) {
      return root + "/" + name + "/pipe";
    }
  },
  /** The memory that daemon and clients share; one for all resources. */
  MEMORY {
    @Override
    public String inContainer(ResourceName name) {
      return "/dev/shm";
    }

    @Override
    public String onNode(Path root, ResourceName name) {
      return root + "/shm";
    }
  };

  /** Where a container has it. */
  public abstract String inContainer(ResourceName name);

  /** Where the node has it, below the root of MPS. */
  public abstract String onNode(Path root, ResourceName name);
}
