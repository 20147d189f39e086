package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.MigFacts;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Inventories for tests: H100s, of which some are divided. */
final class Inventories {
  private Inventories() {}

  static NodeInventory of(GpuFacts... gpus) {
    return of(FakeHost.VERSION, gpus);
  }

  static NodeInventory of(@Nullable String version, GpuFacts... gpus) {
    return new NodeInventory(
        version,
        null,
        Arrays.stream(gpus).<GpuStatus>map(GpuStatus.Responding::new).toList(),
        Topology.UNKNOWN);
  }

  static NodeInventory surveyed(GpuStatus... gpus) {
    return new NodeInventory(FakeHost.VERSION, null, List.of(gpus), Topology.UNKNOWN);
  }

  static GpuUuid uuid(int index) {
    return new GpuUuid(String.format(Locale.ROOT, "GPU-%08x-0000-4000-8000-000000000000", index));
  }

  static GpuFacts whole(int index) {
    return gpu(index, false, List.of());
  }

  static GpuFacts divided(int index, MigFacts... instances) {
    return gpu(index, true, List.of(instances));
  }

  /** An instance whose files are numbered from there. */
  static MigFacts instance(String uuid, String profile, @Nullable Integer firstCap) {
    return new MigFacts(
        uuid, 3, 0, profile, firstCap, firstCap == null ? null : firstCap + 1, null);
  }

  static String mig(int number) {
    return String.format(Locale.ROOT, "MIG-%08x-0000-5000-8000-000000000000", number);
  }

  private static GpuFacts gpu(int index, boolean migOn, List<MigFacts> instances) {
    return new GpuFacts(
        new Gpu(
            index,
            uuid(index),
            String.format(Locale.ROOT, "00000000:%02X:00.0", 0x19 + index),
            "NVIDIA H100 80GB HBM3"),
        index,
        0,
        81_559L << 20,
        new ComputeCapability(9, 0),
        migOn ? MigMode.ON : MigMode.OFF,
        instances,
        null,
        null,
        null);
  }
}
