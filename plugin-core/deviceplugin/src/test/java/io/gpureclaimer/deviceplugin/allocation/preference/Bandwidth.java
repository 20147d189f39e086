package io.gpureclaimer.deviceplugin.allocation.preference;

import io.gpureclaimer.nvml.poll.Topology.Link;
import io.gpureclaimer.nvml.poll.Topology.Path;

/** How well GPUs are joined, counted without the help of the code that is tested. */
final class Bandwidth {
  private Bandwidth() {}

  /** A hundred for each NVLink; 10 to 60 for the way over PCIe. */
  static int of(MachineTopology machine, int gpus) {
    int sum = 0;
    for (int i = 0; i < machine.size(); i++) {
      for (int j = i + 1; j < machine.size(); j++) {
        if ((gpus >> i & 1) == 1 && (gpus >> j & 1) == 1) {
          sum += joined(machine, i, j);
        }
      }
    }
    return sum;
  }

  private static int joined(MachineTopology machine, int i, int j) {
    Link link = machine.link(i, j);
    boolean near = machine.numaNodes().get(i).equals(machine.numaNodes().get(j));
    int level = link.path() == Path.SYSTEM && near ? Path.NODE.level() : link.path().level();
    return 100 * link.nvlinks() + 60 - level;
  }

  /** The most that so many GPUs of the machine can have, those that are required among them. */
  static int best(MachineTopology machine, int size, int required) {
    int best = -1;
    for (int gpus = 0; gpus < 1 << machine.size(); gpus++) {
      if (Integer.bitCount(gpus) == size && (gpus & required) == required) {
        best = Math.max(best, of(machine, gpus));
      }
    }
    return best;
  }
}
