package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.MigStrategy;
import io.gpureclaimer.deviceplugin.allocation.ResourceSettings;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.FabricPlace;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.MigFacts;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.NodeInventory.CudaVersion;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Nodes as the simulated driver has them in its profiles. */
final class Nodes {
  static final String H100 = "NVIDIA H100 80GB HBM3";
  static final String A100 = "NVIDIA A100-SXM4-80GB";
  static final String T4 = "Tesla T4";

  private static final long MIB = 1024L * 1024;

  private Nodes() {}

  /** What is offered of them by that strategy, each once. */
  static SharingFacts offered(NodeInventory inventory, MigStrategy strategy) {
    return offered(inventory, new ResourceSettings(strategy, List.of(), List.of(), Sharing.NONE));
  }

  static SharingFacts offered(NodeInventory inventory, ResourceSettings settings) {
    return SharingFacts.of(
        settings.mig(),
        AdvertisedResources.of(inventory, settings, _ -> true, AdvertisedResources.NOTHING));
  }

  /** All of them shared so. */
  static SharingFacts shared(NodeInventory inventory, ResourceSharing sharing) {
    return new SharingFacts(
        MigStrategy.NONE,
        inventory
            .responding()
            .collect(Collectors.toMap(gpu -> gpu.gpu().uuid().value(), _ -> sharing)));
  }

  static NodeInventory of(GpuFacts... gpus) {
    return inventory(List.of(gpus));
  }

  static NodeInventory inventory(List<GpuFacts> gpus) {
    return new NodeInventory(
        "550.107.02",
        new CudaVersion(12, 4),
        gpus.stream().<GpuStatus>map(GpuStatus.Responding::new).toList(),
        Topology.UNKNOWN);
  }

  static NodeInventory eightH100() {
    List<GpuFacts> gpus = new ArrayList<>();
    for (int index = 0; index < 8; index++) {
      gpus.add(joined(h100(index), new FabricPlace("3f2b7a52-7a1c-4b7e-9a52-0f6f1c0c1d2e", 7)));
    }
    return inventory(gpus);
  }

  static NodeInventory fourT4() {
    return of(t4(0), t4(1), t4(2), t4(3));
  }

  static NodeInventory mixed() {
    return of(h100(0), h100(1), a100(2), t4(3));
  }

  static NodeInventory a100Divided() {
    return of(
        divided(a100(0), "3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb"),
        divided(a100(1), "4g.40gb", "3g.40gb"));
  }

  static NodeInventory eightH100Divided() {
    List<GpuFacts> gpus = new ArrayList<>();
    for (int index = 0; index < 8; index++) {
      gpus.add(
          divided(
              h100(index),
              "1g.10gb",
              "1g.10gb",
              "1g.10gb",
              "1g.10gb",
              "1g.10gb",
              "1g.10gb",
              "1g.10gb"));
    }
    return inventory(gpus);
  }

  static GpuFacts h100(int index) {
    return gpu(index, H100, 81559, new ComputeCapability(9, 0));
  }

  static GpuFacts a100(int index) {
    return gpu(index, A100, 81920, new ComputeCapability(8, 0));
  }

  static GpuFacts t4(int index) {
    return gpu(index, T4, 15360, new ComputeCapability(7, 5));
  }

  static GpuFacts silent(int index, String model) {
    return facts(index, model, null, null);
  }

  static GpuFacts divided(GpuFacts gpu, String... profiles) {
    List<MigFacts> instances = new ArrayList<>();
    for (int at = 0; at < profiles.length; at++) {
      instances.add(instance(gpu.gpu().index() + "-" + at, at, profiles[at]));
    }
    return new GpuFacts(
        gpu.gpu(),
        gpu.minor(),
        gpu.numaNode(),
        gpu.memoryBytes(),
        gpu.capability(),
        MigMode.ON,
        instances,
        gpu.fabric(),
        gpu.recovery(),
        gpu.virtual());
  }

  static GpuFacts virtual(GpuFacts gpu, @Nullable Boolean virtual) {
    return new GpuFacts(
        gpu.gpu(),
        gpu.minor(),
        gpu.numaNode(),
        gpu.memoryBytes(),
        gpu.capability(),
        gpu.mig(),
        gpu.instances(),
        gpu.fabric(),
        gpu.recovery(),
        virtual);
  }

  static GpuFacts joined(GpuFacts gpu, FabricPlace fabric) {
    return new GpuFacts(
        gpu.gpu(),
        gpu.minor(),
        gpu.numaNode(),
        gpu.memoryBytes(),
        gpu.capability(),
        gpu.mig(),
        gpu.instances(),
        fabric,
        gpu.recovery(),
        gpu.virtual());
  }

  private static GpuFacts gpu(int index, String model, long mib, ComputeCapability capability) {
    return facts(index, model, mib * MIB, capability);
  }

  private static GpuFacts facts(
      int index, String model, @Nullable Long memory, @Nullable ComputeCapability capability) {
    return new GpuFacts(
        new Gpu(
            index,
            new GpuUuid("GPU-" + index),
            String.format(Locale.ROOT, "00000000:%02X:00.0", 0x10 + index),
            model),
        index,
        null,
        memory,
        capability,
        capability != null && capability.major() >= 8 ? MigMode.OFF : MigMode.INCAPABLE,
        List.of(),
        null,
        null,
        capability == null ? null : false);
  }

  private static MigFacts instance(String name, int id, String profile) {
    int slices = profile.charAt(0) - '0';
    long gib = Long.parseLong(profile.replaceAll(".*g\\.(\\d+)gb.*", "$1"));
    return new MigFacts(
        "MIG-" + name,
        id,
        0,
        profile,
        null,
        null,
        new MigSize(gib * 1024 - 512, 14 * slices, slices, slices, slices, slices / 2, 0, 0, 0));
  }
}
