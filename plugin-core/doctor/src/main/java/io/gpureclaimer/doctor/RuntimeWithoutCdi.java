package io.gpureclaimer.doctor;

import java.util.List;
import java.util.Optional;

/**
 * Finds a container runtime that ignores CDI: it starts a container without the devices that it has
 * by CDI, and reports no error.
 */
public final class RuntimeWithoutCdi {
  private RuntimeWithoutCdi() {}

  /**
   * What is wrong and what to do, for people; empty if a configuration may be in force that has CDI
   * on, as CRI-O has by itself, or none is to be seen.
   *
   * @param annotations whether containers get devices by annotations too, which NVIDIA's runtime
   *     honors whatever containerd does
   */
  public static Optional<String> in(NodeFiles files, boolean annotations) {
    List<String> configurations = ContainerRuntime.containerdIn(files);
    boolean allAreOff =
        configurations.stream()
            .map(file -> RuntimeSettings.read(files, file))
            .allMatch(it -> isOff(it, annotations));
    return configurations.isEmpty() || !allAreOff || ContainerRuntime.isCrioIn(files)
        ? Optional.empty()
        : Optional.of(
            "CDI is off in containerd's configuration ("
                + String.join(", ", configurations)
                + "), so that containers start without the GPUs that they are given by CDI: "
                + ContainerRuntime.TURN_CDI_ON
                + ", or choose another --device-list-strategy");
  }

  private static boolean isOff(RuntimeSettings settings, boolean annotations) {
    return settings.cdi().isPresent()
        && !settings.cdi().get()
        && !(annotations && settings.nvidiaRuntime());
  }
}
