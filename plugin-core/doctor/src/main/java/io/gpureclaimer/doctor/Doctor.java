package io.gpureclaimer.doctor;

import java.util.List;

/** Checks everything that a node needs to give GPUs to containers. Changes nothing. */
public final class Doctor {
  private static final List<Check> CHECKS =
      List.of(
          new PciGpus(),
          new KernelModule(),
          new DriverLibrary(),
          new DeviceFileCheck(),
          new DevicePermissions(),
          new ContainerRuntime(),
          new UnrequestedGpus(),
          new CdiSpecifications(),
          new KubeletSockets(),
          new OtherPlugins(),
          new MpsLeftovers(),
          new FabricManager(),
          new PersistenceMode());

  private final NodeFiles files;
  private final DriverPort driver;

  public Doctor(NodeFiles files, DriverPort driver) {
    this.files = files;
    this.driver = driver;
  }

  /** Looks now; takes as long as the driver and the kubelet take to answer. */
  public Diagnosis examine() {
    ExaminedNode node = ExaminedNode.of(files, driver.ask());
    return new Diagnosis(
        CHECKS.stream()
            .map(check -> new Diagnosis.CheckOutcome(check.name(), check.run(node)))
            .toList());
  }
}
