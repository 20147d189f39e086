package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.MigDevice;
import io.gpureclaimer.nvml.MigName;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.List;

/** Lists the MIG devices of a GPU, with all that an inventory has of them. */
final class InstanceList {
  private static final long MIB_PER_GIB = 1024;

  /** Somebody who divides the GPU just now makes a device vanish while it is being asked. */
  private static final int MOST_ATTEMPTS = 3;

  private final Nvml nvml;
  private final MigCaps caps;

  InstanceList(Nvml nvml, MigCaps caps) {
    this.nvml = nvml;
    this.caps = caps;
  }

  /** Whether MIG is on, and what it has divided the GPU into. */
  record Division(MigMode mode, List<MigFacts> instances) {
    static final Division IMPOSSIBLE = new Division(MigMode.INCAPABLE, List.of());
    static final Division NONE = new Division(MigMode.OFF, List.of());
  }

  NvmlResult<Division> of(GpuHandle gpu, int minor) {
    NvmlResult<Division> division = listed(gpu, minor);
    for (int attempt = 1; attempt < MOST_ATTEMPTS && isWorthATry(division); attempt++) {
      division = listed(gpu, minor);
    }
    return division;
  }

  private static boolean isWorthATry(NvmlResult<Division> division) {
    return division instanceof Failed<Division>(var reason, _) && reason != NvmlReturn.GPU_IS_LOST;
  }

  private NvmlResult<Division> listed(GpuHandle gpu, int minor) {
    return switch (nvml.mig().isOn(gpu)) {
      case Value<Boolean>(var on) -> on ? divided(gpu, minor) : new Value<>(Division.NONE);
      case Unsupported<Boolean>() -> new Value<>(Division.IMPOSSIBLE);
      case Failed<Boolean>(var reason, var code) -> new Failed<>(reason, code);
    };
  }

  private NvmlResult<Division> divided(GpuHandle gpu, int minor) {
    return nvml.mig()
        .devices(gpu)
        .then(devices -> described(devices, minor))
        .map(instances -> new Division(MigMode.ON, instances));
  }

  private NvmlResult<List<MigFacts>> described(List<MigDevice> devices, int minor) {
    List<MigFacts> instances = new ArrayList<>();
    for (MigDevice device : devices) {
      switch (described(device, minor)) {
        case Value<MigFacts>(var facts) -> instances.add(facts);
        case Unsupported<MigFacts> _ -> {
          return new Unsupported<>();
        }
        case Failed<MigFacts>(var reason, var code) -> {
          return new Failed<>(reason, code);
        }
      }
    }
    return new Value<>(List.copyOf(instances));
  }

  /** The name has the whole profile; a driver that does not tell it has none of those variants. */
  private NvmlResult<MigFacts> described(MigDevice device, int minor) {
    return nvml.mig()
        .size(device.handle())
        .then(
            size ->
                profile(device, size)
                    .map(
                        profile ->
                            new MigFacts(
                                device.uuid(),
                                device.instance(),
                                device.compute(),
                                profile,
                                caps.of(minor, device.instance()),
                                caps.of(minor, device.instance(), device.compute()),
                                size)));
  }

  private NvmlResult<String> profile(MigDevice device, MigSize size) {
    return switch (MigName.told(nvml.name(device.handle()))) {
      case Value<String>(var name) ->
          new Value<>(MigName.profile(name).orElseGet(() -> profile(size)));
      case Unsupported<String> _ -> new Value<>(profile(size));
      case Failed<String> failed -> failed;
    };
  }

  private static String profile(MigSize size) {
    String part = size.computeSlices() == size.gpuSlices() ? "" : size.computeSlices() + "c.";
    long gib = Math.ceilDiv(size.memoryMib(), MIB_PER_GIB);
    return part + size.gpuSlices() + "g." + gib + "gb";
  }
}
