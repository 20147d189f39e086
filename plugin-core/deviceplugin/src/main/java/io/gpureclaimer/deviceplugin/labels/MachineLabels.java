package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.labels.MachineFacts.VgpuHost;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.FabricPlace;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Labels of the node that do not describe GPUs. */
final class MachineLabels {
  private static final String COMPUTE = "0x030200";
  private static final String GRAPHICS = "0x030000";

  private MachineLabels() {}

  static void write(LabelBuilder nvidia, MachineFacts machine, NodeInventory inventory) {
    nvidia.putText("gpu.machine", machine.product());
    if (!machine.gpuClasses().isEmpty()) {
      nvidia.put("gpu.mode", mode(Set.copyOf(machine.gpuClasses())));
    }
    VgpuHost host = machine.vgpu();
    nvidia.put("vgpu.present", host == null ? hasVgpus(inventory) : Boolean.TRUE);
    if (host != null) {
      nvidia
          .putText("vgpu.host-driver-version", host.driverVersion())
          .putText("vgpu.host-driver-branch", host.driverBranch());
    }
  }

  /** One that does not report it may be one, if no other is. */
  private static @Nullable Boolean hasVgpus(NodeInventory inventory) {
    if (inventory.responding().anyMatch(gpu -> Boolean.TRUE.equals(gpu.virtual()))) {
      return true;
    }
    long physical = inventory.responding().filter(gpu -> gpu.virtual() != null).count();
    return physical == inventory.gpus().size() ? false : null;
  }

  /** The clique of the GPUs that are of a fabric, if there is one only. */
  static void ofFabric(LabelBuilder nvidia, List<GpuFacts> gpus) {
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
