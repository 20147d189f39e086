package io.gpureclaimer.core.labels;

import io.gpureclaimer.core.inventory.FabricPlace;
import io.gpureclaimer.core.inventory.GpuFacts;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the labels say of the node as a whole, past its GPUs. */
final class MachineLabels {
  private static final String COMPUTE = "0x030200";
  private static final String GRAPHICS = "0x030000";

  private MachineLabels() {}

  static void write(LabelSheet nvidia, MachineFacts machine) {
    nvidia.putText("gpu.machine", machine.product());
    if (!machine.gpuClasses().isEmpty()) {
      nvidia.put("gpu.mode", mode(Set.copyOf(machine.gpuClasses())));
    }
    VgpuHost vgpu = machine.vgpu();
    if (vgpu != null) {
      nvidia
          .put("vgpu.present", true)
          .putText("vgpu.host-driver-version", vgpu.driverVersion())
          .putText("vgpu.host-driver-branch", vgpu.driverBranch());
    }
  }

  /** The clique of the GPUs that are of a fabric, if there is one only. */
  static void ofFabric(LabelSheet nvidia, List<GpuFacts> gpus) {
    Set<FabricPlace> places =
        gpus.stream()
            .flatMap(gpu -> Optional.ofNullable(gpu.fabric()).stream())
            .collect(Collectors.toSet());
    if (places.size() == 1) {
      nvidia.putText("gpu.clique", places.iterator().next().toString());
    }
  }

  private static String mode(Set<String> classes) {
    if (classes.equals(Set.of(COMPUTE))) {
      return "compute";
    }
    return classes.equals(Set.of(GRAPHICS)) ? "graphics" : "unknown";
  }
}
