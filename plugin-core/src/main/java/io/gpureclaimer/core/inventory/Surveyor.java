package io.gpureclaimer.core.inventory;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.inventory.Look.Seen;
import io.gpureclaimer.core.inventory.SurveyedGpu.Answered;
import io.gpureclaimer.core.inventory.SurveyedGpu.Unreadable;
import io.gpureclaimer.core.nvml.GpuHandle;
import io.gpureclaimer.core.nvml.Nvml;
import io.gpureclaimer.core.nvml.NvmlException;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all GPUs of the node. What is wrong with one is told of that one, and the others stay as
 * they are. Confined to the thread that asks the driver.
 */
public final class Surveyor {
  private static final int CUDA_MAJOR = 1_000;
  private static final int CUDA_MINOR = 10;

  private final KernelFiles files;
  private final Turns turns;
  private final Wiring wiring;

  /** Who was at which index when it could last be asked. */
  private final Map<Integer, GpuUuid> lastAt = new HashMap<>();

  /** Each with the memory for its answers, as long as the session lasts. */
  private final Map<Integer, GpuHandle> handles = new HashMap<>();

  private @Nullable Nvml session;
  private int lastCount;

  /**
   * @param files what the kernel tells
   * @param turns how one GPU after the other is asked
   */
  public Surveyor(KernelFiles files, Turns turns) {
    this.files = files;
    this.turns = turns;
    this.wiring = new Wiring(turns);
  }

  /**
   * Looks at all GPUs.
   *
   * @throws NvmlException if the session is gone: nothing is known then, of no GPU
   */
  public Survey survey(Nvml nvml) {
    if (!nvml.equals(session)) {
      handles.clear();
      session = nvml;
    }
    List<Look> looks = looks(nvml);
    List<Seen> seen = looks.stream().flatMap(Surveyor::seen).toList();
    seen.forEach(gpu -> handles.put(gpu.handle().index(), gpu.handle()));
    String version = nvml.driverVersion() instanceof Value<String>(var told) ? told : null;
    var inventory =
        new Inventory(
            version, cuda(nvml), surveyed(looks, seen), wiring.of(nvml.links(), version, seen));
    return new Survey(
        inventory, seen.stream().collect(Collectors.toMap(Seen::uuid, Seen::counters)));
  }

  private List<Look> looks(Nvml nvml) {
    int count = nvml.deviceCount();
    MigCaps caps = files.migCaps();
    List<Look> looks = new ArrayList<>();
    Set<GpuUuid> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      int index = i;
      GpuHandle before = handles.get(index);
      Look look =
          turns
              .take(index, () -> new Interview(nvml, index, before, files, caps).look())
              .orElseGet(() -> new Look.Failed(index, null, "it does not come back"));
      boolean isTwin = look instanceof Seen gpu && !names.add(gpu.uuid());
      looks.add(isTwin ? new Look.Failed(index, null, "its UUID is another GPU's") : look);
    }
    return looks;
  }

  private List<SurveyedGpu> surveyed(List<Look> looks, List<Seen> seen) {
    Set<GpuUuid> present = seen.stream().map(Seen::uuid).collect(Collectors.toSet());
    if (looks.size() != lastCount) {
      lastAt.clear();
      lastCount = looks.size();
    }
    List<SurveyedGpu> surveyed = new ArrayList<>();
    for (Look look : looks) {
      switch (look) {
        case Seen gpu -> {
          lastAt.put(gpu.facts().gpu().index(), gpu.uuid());
          surveyed.add(new Answered(gpu.facts()));
        }
        case Look.Failed(var index, var uuid, var reason) ->
            surveyed.add(
                new Unreadable(index, uuid == null ? remembered(index, present) : uuid, reason));
        case Look.Display _ -> {}
      }
    }
    return surveyed;
  }

  /** One that answers elsewhere is not the one that is silent here. */
  private @Nullable GpuUuid remembered(int index, Set<GpuUuid> present) {
    GpuUuid last = lastAt.get(index);
    return last == null || present.contains(last) ? null : last;
  }

  private static @Nullable CudaVersion cuda(Nvml nvml) {
    return nvml.cudaVersion() instanceof Value<Integer>(var told)
        ? new CudaVersion(told / CUDA_MAJOR, told % CUDA_MAJOR / CUDA_MINOR)
        : null;
  }

  private static Stream<Seen> seen(Look look) {
    return look instanceof Seen seen ? Stream.of(seen) : Stream.empty();
  }
}
