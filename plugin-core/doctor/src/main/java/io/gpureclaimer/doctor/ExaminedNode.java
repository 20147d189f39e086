package io.gpureclaimer.doctor;

/**
 * Facts about the node that several checks use, read once.
 *
 * @param files of the node
 * @param pci its NVIDIA devices
 * @param kernel its modules
 * @param driver what the driver says of itself
 */
record ExaminedNode(NodeFiles files, PciBus pci, KernelModules kernel, DriverAnswer driver) {

  static ExaminedNode of(NodeFiles files, DriverAnswer driver) {
    return new ExaminedNode(files, PciBus.read(files), KernelModules.read(files), driver);
  }

  /** Whether there is a sign of a GPU, or a configuration that expects one. */
  boolean mayHaveGpus() {
    return !pci.readable()
        || !pci.gpus().isEmpty()
        || kernel.version().isPresent()
        || (driver instanceof DriverAnswer.Reported(var _, var _, var gpus) && !gpus.isEmpty());
  }
}
