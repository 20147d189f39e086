package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.Links;
import io.gpureclaimer.nvml.NvLink;
import io.gpureclaimer.nvml.NvLink.ToGpu;
import io.gpureclaimer.nvml.NvLink.ToSwitch;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.inventory.Look.Seen;
import io.gpureclaimer.nvml.inventory.Topology.Link;
import io.gpureclaimer.nvml.inventory.Topology.Pair;
import io.gpureclaimer.nvml.inventory.Topology.Path;
import io.gpureclaimer.nvml.inventory.Turn.Taken;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how GPUs are wired, which takes hundreds of calls, and remembers it: it is asked again
 * when there is a GPU that was not there then, or another driver. A GPU that is missing changes
 * nothing between the others. Confined to one thread.
 */
final class Wiring {
  /** A GPU that fails each time must not cost hundreds of calls in every survey. */
  private static final int MOST_ATTEMPTS = 3;

  private final Turns turns;
  private @Nullable String driver;
  private Set<GpuUuid> known = Set.of();
  private Topology topology = Topology.UNKNOWN;
  private int attempts;
  private boolean complete = true;

  Wiring(Turns turns) {
    this.turns = turns;
  }

  Topology of(Links links, @Nullable String driverNow, List<Seen> gpus) {
    Set<GpuUuid> now = gpus.stream().map(Seen::uuid).collect(Collectors.toUnmodifiableSet());
    boolean same = known.containsAll(now) && Objects.equals(driver, driverNow);
    if (!same) {
      attempts = 0;
    }
    if (!same || (!complete && attempts < MOST_ATTEMPTS)) {
      attempts++;
      complete = true;
      topology = ask(links, gpus);
      known = now;
      driver = driverNow;
    }
    return topology;
  }

  private Topology ask(Links links, List<Seen> gpus) {
    Map<GpuUuid, List<NvLink>> ends = new HashMap<>();
    for (Seen gpu : gpus) {
      if (turns.take(gpu.handle().index(), false, () -> links.nvlinks(gpu.handle()))
          instanceof Taken(Value<List<NvLink>>(var some))) {
        ends.put(gpu.uuid(), some);
      } else {
        complete = false;
      }
    }
    Map<Pair, Link> found = new HashMap<>();
    for (int i = 0; i < gpus.size(); i++) {
      for (Seen other : gpus.subList(i + 1, gpus.size())) {
        Seen one = gpus.get(i);
        Path path = path(links, one, other);
        int nvlinks = nvlinks(ends, one, other);
        if (path != null || nvlinks > 0) {
          found.put(
              Pair.of(one.uuid(), other.uuid()),
              new Link(path == null ? Path.SYSTEM : path, nvlinks));
        }
      }
    }
    return new Topology(found);
  }

  private @Nullable Path path(Links links, Seen one, Seen other) {
    var turn =
        turns.take(
            one.handle().index(), false, () -> links.commonAncestor(one.handle(), other.handle()));
    if (!(turn instanceof Taken<NvmlResult<Integer>>(var answer))) {
      complete = false;
      return null;
    }
    return switch (answer) {
      case Value<Integer>(var level) -> Path.of(level);
      case Unsupported<Integer> _ -> null;
      case Failed<Integer> _ -> {
        complete = false;
        yield null;
      }
    };
  }

  /** Over switches each reaches the other with as many as the one with fewer has. */
  private static int nvlinks(Map<GpuUuid, List<NvLink>> ends, Seen one, Seen other) {
    List<NvLink> here = ends.getOrDefault(one.uuid(), List.of());
    List<NvLink> there = ends.getOrDefault(other.uuid(), List.of());
    String place = other.facts().gpu().pciBusId();
    long directly = place == null ? 0 : here.stream().filter(new ToGpu(place)::equals).count();
    return (int) (directly + Math.min(toSwitch(here), toSwitch(there)));
  }

  private static long toSwitch(List<NvLink> links) {
    return links.stream().filter(ToSwitch.class::isInstance).count();
  }
}
