package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.Links;
import io.gpureclaimer.nvml.NvLink;
import io.gpureclaimer.nvml.NvLink.ToGpu;
import io.gpureclaimer.nvml.NvLink.ToSwitch;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.Topology.GpuPair;
import io.gpureclaimer.nvml.poll.Topology.Link;
import io.gpureclaimer.nvml.poll.Topology.Path;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.Returned;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.TimedOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads how GPUs are linked, which takes hundreds of calls, and remembers it: reads again when
 * there is a GPU that was not there then, or another driver. A GPU that is missing changes nothing
 * between the others. Confined to the poller's lock.
 */
final class TopologyProbe {
  /** A GPU that fails each time must not cost hundreds of calls in every poll. */
  private static final int MOST_ATTEMPTS = 3;

  private final DriverThread thread;
  private @Nullable String driver;
  private Set<GpuUuid> known = Set.of();
  private Topology topology = Topology.UNKNOWN;
  private int attempts;
  private boolean complete = true;

  /**
   * Links of one GPU.
   *
   * @param ends its NVLinks
   * @param paths to the GPUs after it in the driver's order
   */
  private record LinksOfGpu(NvmlResult<List<NvLink>> ends, List<NvmlResult<Integer>> paths) {}

  TopologyProbe(DriverThread thread) {
    this.thread = thread;
  }

  /**
   * Topology of the GPUs that respond, read only if it is not known.
   *
   * @param deadline for the calls about one GPU
   */
  Topology of(@Nullable String driverNow, List<GpuPollState> all, Duration deadline) {
    List<GpuPollState> gpus = all.stream().filter(gpu -> gpu.respondingGpu() != null).toList();
    Set<GpuUuid> now =
        polled(gpus).stream().map(gpu -> gpu.gpu().uuid()).collect(Collectors.toUnmodifiableSet());
    boolean same = known.containsAll(now) && Objects.equals(driver, driverNow);
    if (!same) {
      attempts = 0;
    }
    if (!same || (!complete && attempts < MOST_ATTEMPTS)) {
      attempts++;
      complete = true;
      topology = read(gpus, deadline);
      known = now;
      driver = driverNow;
    }
    return topology;
  }

  private static List<PolledGpu> polled(List<GpuPollState> gpus) {
    return gpus.stream().map(GpuPollState::respondingGpu).filter(Objects::nonNull).toList();
  }

  private Topology read(List<GpuPollState> states, Duration deadline) {
    List<PolledGpu> gpus = polled(states);
    List<Callable<LinksOfGpu>> calls = new ArrayList<>();
    for (int i = 0; i < gpus.size(); i++) {
      PolledGpu one = gpus.get(i);
      List<PolledGpu> others = gpus.subList(i + 1, gpus.size());
      calls.add(() -> linksOf(one, others));
    }
    List<@Nullable LinksOfGpu> answers = ask(states, calls, deadline);
    List<List<NvLink>> ends = answers.stream().map(this::ends).toList();
    Map<GpuPair, Link> found = new HashMap<>();
    for (int i = 0; i < gpus.size(); i++) {
      for (int j = i + 1; j < gpus.size(); j++) {
        PolledGpu one = gpus.get(i);
        PolledGpu other = gpus.get(j);
        LinksOfGpu answer = answers.get(i);
        Path path = answer == null ? null : path(answer.paths().get(j - i - 1));
        int nvlinks = nvlinks(ends.get(i), ends.get(j), other.gpu().pciBusId());
        if (path != null || nvlinks > 0) {
          found.put(
              GpuPair.of(one.gpu().uuid(), other.gpu().uuid()),
              new Link(path == null ? Path.SYSTEM : path, nvlinks));
        }
      }
    }
    return new Topology(found);
  }

  /** Null for a GPU whose call does not return in time. */
  private List<@Nullable LinksOfGpu> ask(
      List<GpuPollState> states, List<Callable<LinksOfGpu>> calls, Duration deadline) {
    List<@Nullable LinksOfGpu> answers = new ArrayList<>();
    thread.callAll(
        calls,
        (_, _) -> deadline,
        (outcome, i) -> {
          switch (outcome) {
            case Returned<LinksOfGpu>(var links) -> answers.add(links);
            case TimedOut<LinksOfGpu>(var call) -> {
              states.get(i).leftBehind(call);
              answers.add(null);
            }
          }
        });
    return answers;
  }

  private static LinksOfGpu linksOf(PolledGpu gpu, List<PolledGpu> others) {
    Links links = gpu.nvml().links();
    return new LinksOfGpu(
        links.nvlinks(gpu.handle()),
        others.stream().map(one -> links.commonAncestor(gpu.handle(), one.handle())).toList());
  }

  private List<NvLink> ends(@Nullable LinksOfGpu answer) {
    if (answer != null && answer.ends() instanceof Value<List<NvLink>>(var some)) {
      return some;
    }
    complete = false;
    return List.of();
  }

  private @Nullable Path path(NvmlResult<Integer> answer) {
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
  private static int nvlinks(List<NvLink> here, List<NvLink> there, @Nullable String place) {
    long directly = place == null ? 0 : here.stream().filter(new ToGpu(place)::equals).count();
    return (int) (directly + Math.min(toSwitch(here), toSwitch(there)));
  }

  private static long toSwitch(List<NvLink> links) {
    return links.stream().filter(ToSwitch.class::isInstance).count();
  }
}
