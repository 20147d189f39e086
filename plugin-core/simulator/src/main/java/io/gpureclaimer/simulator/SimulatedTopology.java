package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_NVLINK_DEVICE_TYPE_GPU;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_NVLINK_DEVICE_TYPE_SWITCH;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TOPOLOGY_INTERNAL;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TOPOLOGY_NODE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TOPOLOGY_SINGLE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_TOPOLOGY_SYSTEM;

import java.util.List;
import java.util.Optional;

/**
 * How the cards of a simulated node are wired: two of them under one PCIe switch, four to a CPU;
 * those of one kind that have NVLinks over a switch if they are four or more, else directly.
 *
 * @param gpus all cards of the node, those included that are gone
 */
record SimulatedTopology(List<SimulatedGpu> gpus) {
  private static final int UNDER_ONE_SWITCH = 2;
  private static final int AT_ONE_CPU = 4;
  private static final int ENOUGH_FOR_NVSWITCH = 4;

  /** Bus id of a switch, or of a card. */
  record End(int type, String busId) {}

  int level(SimulatedGpu one, SimulatedGpu other) {
    if (one.equals(other)) {
      return NVML_TOPOLOGY_INTERNAL;
    }
    if (one.index() / UNDER_ONE_SWITCH == other.index() / UNDER_ONE_SWITCH) {
      return NVML_TOPOLOGY_SINGLE;
    }
    return numaNode(one) == numaNode(other) ? NVML_TOPOLOGY_NODE : NVML_TOPOLOGY_SYSTEM;
  }

  static int numaNode(SimulatedGpu gpu) {
    return gpu.index() / AT_ONE_CPU;
  }

  /** Where that link leads; a card without a peer has its links down. */
  Optional<End> end(SimulatedGpu gpu, int link) {
    List<SimulatedGpu> peers =
        gpus.stream().filter(one -> !one.equals(gpu) && one.isLinkedTo(gpu)).toList();
    if (peers.size() + 1 >= ENOUGH_FOR_NVSWITCH) {
      return Optional.of(new End(NVML_NVLINK_DEVICE_TYPE_SWITCH, "00000000:F1:00.0"));
    }
    return peers.isEmpty()
        ? Optional.empty()
        : Optional.of(new End(NVML_NVLINK_DEVICE_TYPE_GPU, peers.get(link % peers.size()).busId()));
  }
}
