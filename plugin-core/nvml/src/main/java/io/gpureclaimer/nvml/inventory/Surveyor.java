package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlException;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.inventory.Look.Seen;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Answered;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  /** Those of them that MIG divided then. */
  private final Set<GpuUuid> divided = new HashSet<>();

  /** Each with the memory for its answers, as long as the session lasts. */
  private final Map<Integer, GpuHandle> handles = new HashMap<>();

  /** What each said the last time, as long as session and numbering last. */
  private final Map<Integer, Seen> before = new HashMap<>();

  private @Nullable Nvml session;
  private int lastCount;

  /**
   * @param files what the kernel tells
   * @param turns how one GPU after the other is asked
   */
  public Surveyor(KernelFiles files, Turns turns) {
    this(files, turns, List.of());
  }

  /**
   * The same, by one that was told before who was at which index; that counts as long as the driver
   * counts as many.
   */
  public Surveyor(KernelFiles files, Turns turns, List<Optional<GpuUuid>> order) {
    for (int index = 0; index < order.size(); index++) {
      int at = index;
      order.get(index).ifPresent(gpu -> lastAt.put(at, gpu));
    }
    this.lastCount = order.size();
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
      before.clear();
      session = nvml;
    }
    Set<GpuUuid> awaited = new HashSet<>();
    List<Look> looks = looks(nvml, awaited);
    List<Seen> seen = looks.stream().flatMap(Surveyor::seen).toList();
    seen.forEach(gpu -> handles.put(gpu.handle().index(), gpu.handle()));
    String version = nvml.driverVersion() instanceof Value<String>(var told) ? told : null;
    var inventory =
        new Inventory(
            version, cuda(nvml), surveyed(looks, seen), wiring.of(nvml.links(), version, seen));
    return new Survey(
        inventory,
        order(),
        seen.stream()
            .filter(gpu -> !awaited.contains(gpu.uuid()))
            .collect(Collectors.toMap(Seen::uuid, Seen::counters)),
        awaited);
  }

  private List<Look> looks(Nvml nvml, Set<GpuUuid> awaited) {
    int count = nvml.deviceCount();
    if (count != lastCount) {
      before.clear();
    }
    MigCaps caps = files.migCaps();
    List<Look> looks = new ArrayList<>();
    Set<GpuUuid> names = new HashSet<>();
    for (int index = 0; index < count; index++) {
      Look look = look(nvml, index, caps, awaited);
      boolean isTwin = look instanceof Seen gpu && !names.add(gpu.uuid());
      looks.add(isTwin ? new Look.Failed(index, null, "its UUID is another GPU's") : look);
    }
    return looks;
  }

  private Look look(Nvml nvml, int index, MigCaps caps, Set<GpuUuid> awaited) {
    GpuHandle known = handles.get(index);
    Seen last = before.remove(index);
    var turn =
        turns.take(
            index, last != null, () -> new Interview(nvml, index, known, files, caps).look());
    Look look =
        switch (turn) {
          case Turn.Taken<Look>(var answer) -> answer;
          case Turn.Awaited<Look>() when last != null -> {
            awaited.add(last.uuid());
            yield last;
          }
          case Turn.Awaited<Look>(), Turn.Silent<Look>() ->
              new Look.Failed(index, null, "it does not come back");
        };
    if (look instanceof Seen seen) {
      before.put(index, seen);
    }
    return look;
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
          if (gpu.facts().migOn()) {
            divided.add(gpu.uuid());
          } else {
            divided.remove(gpu.uuid());
          }
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

  private List<Optional<GpuUuid>> order() {
    return IntStream.range(0, lastCount)
        .mapToObj(lastAt::get)
        .map(gpu -> Optional.ofNullable(gpu).filter(known -> !divided.contains(known)))
        .toList();
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
