package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.MigFacts;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A node that is put together GPU by GPU, for tests. */
final class NodeBuilder {
  static final String MODEL = "NVIDIA A100-SXM4-40GB";
  private static final long MIB = 1024L * 1024;

  private final List<GpuStatus> gpus = new ArrayList<>();

  static GpuUuid gpu(int index) {
    return new GpuUuid(String.format(Locale.ROOT, "GPU-%08d-0000-0000-0000-000000000000", index));
  }

  static String mig(int gpu, int instance) {
    return String.format(Locale.ROOT, "MIG-%08d-%04d-0000-0000-000000000000", gpu, instance);
  }

  NodeBuilder whole() {
    return whole(MODEL, new ComputeCapability(8, 0));
  }

  NodeBuilder whole(String model, ComputeCapability capability) {
    return add(facts(model, capability, false, List.of()));
  }

  /** MIG is on, with an instance of each profile. */
  NodeBuilder divided(String... profiles) {
    var instances = new ArrayList<MigFacts>();
    for (String profile : profiles) {
      int gi = instances.size() + 1;
      int cap = 10 * gpus.size() + 2 * gi;
      instances.add(
          new MigFacts(
              mig(gpus.size(), gi),
              gi,
              0,
              profile,
              cap,
              cap + 1,
              new MigSize(4864, 14, 1, 1, 1, 0, 0, 0, 0)));
    }
    return add(facts(MODEL, new ComputeCapability(8, 0), true, instances));
  }

  NodeBuilder unreadable() {
    gpus.add(
        new GpuStatus.Unavailable(
            gpus.size(), gpu(gpus.size()), null, GpuStatus.GpuFault.LOST, "getName: GPU_IS_LOST"));
    return this;
  }

  NodeBuilder nameless() {
    gpus.add(
        new GpuStatus.Unavailable(
            gpus.size(), null, null, GpuStatus.GpuFault.REFUSED, "getHandleByIndex: UNKNOWN"));
    return this;
  }

  NodeInventory inventory() {
    return new NodeInventory("550.107.02", null, gpus, Topology.UNKNOWN);
  }

  private GpuFacts facts(
      String model, ComputeCapability capability, boolean migOn, List<MigFacts> instances) {
    int index = gpus.size();
    return new GpuFacts(
        new Gpu(index, gpu(index), "00000000:0" + index % 10 + ":00.0", model),
        index,
        index < 4 ? 0 : 1,
        40960 * MIB,
        capability,
        migOn ? MigMode.ON : MigMode.OFF,
        instances,
        null,
        null,
        null);
  }

  private NodeBuilder add(GpuFacts facts) {
    gpus.add(new GpuStatus.Responding(facts));
    return this;
  }
}
