package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.MigDevice;
import io.gpureclaimer.nvml.MigName;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.GpuFacts.RefusedInstance;
import io.gpureclaimer.nvml.poll.KernelFiles.MigCaps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the MIG devices of one GPU. A device that the driver refuses to describe hides no other:
 * while the rest of the layout is unchanged it keeps its place and its last known facts. When the
 * layout has changed, what was measured of the old instances is forgotten, because the driver uses
 * their numbers again. Confined to the driver thread that polls the GPU.
 */
final class MigLister {
  private static final Logger log = LoggerFactory.getLogger(MigLister.class);
  private static final long MIB_PER_GIB = 1024;

  /** A device vanishes under the query while the GPU is partitioned. */
  private static final int MOST_ATTEMPTS = 3;

  private final KernelFiles files;

  /** By position in the driver's list; null where a device has never been described. */
  private List<@Nullable KnownMigDevice> layout = List.of();

  private List<PolledGpu.Instance> instances = List.of();
  private boolean isWhole;
  private boolean isComplete;
  private boolean isCapable = true;
  private List<FailedCall> failures = List.of();
  private long forbidden;

  MigLister(KernelFiles files) {
    this.files = files;
  }

  /** A MIG device; {@code facts} is null if allocation lacks a fact. */
  private record KnownMigDevice(MigDevice device, @Nullable MigFacts facts) {
    boolean isSameDevice(KnownMigDevice other) {
      return device.uuid().equals(other.device.uuid())
          && device.instance() == other.device.instance()
          && device.compute() == other.device.compute()
          && device.profile().equals(other.device.profile());
    }
  }

  /** Facts about MIG of one GPU. */
  record MigListing(MigMode mode, List<MigFacts> instances, List<RefusedInstance> refused) {
    static final MigListing WHOLE = new MigListing(MigMode.OFF, List.of(), List.of());

    /** As in earlier facts. */
    static MigListing of(@Nullable GpuFacts facts) {
      return facts == null
          ? WHOLE
          : new MigListing(facts.mig(), facts.instances(), facts.refused());
    }
  }

  /** Layout as of the last listing. */
  PolledGpu.Layout layout() {
    return new PolledGpu.Layout(instances, isWhole);
  }

  /** Whether another listing soon may bring more than the last one. */
  boolean isIncomplete() {
    return !isComplete;
  }

  /** Codes of the queries of the last listing that failed. */
  List<FailedCall> failures() {
    return failures;
  }

  /**
   * Lists the devices.
   *
   * @param minor of the GPU; null if unknown
   * @param repartitioned whether the driver has reported that the layout changed
   */
  NvmlResult<MigListing> list(PolledGpu gpu, @Nullable Integer minor, boolean repartitioned) {
    failures = List.of();
    if (!isCapable) {
      return new Value<>(new MigListing(MigMode.INCAPABLE, List.of(), List.of()));
    }
    return switch (gpu.nvml().mig().isOn(gpu.handle())) {
      case Value<Boolean>(var on) ->
          on
              ? listDevices(gpu, minor, repartitioned)
              : new Value<>(whole(gpu, repartitioned, MigMode.OFF));
      case Unsupported<Boolean> _ -> {
        isCapable = false;
        yield new Value<>(whole(gpu, repartitioned, MigMode.INCAPABLE));
      }
      case Failed<Boolean> failed -> failed(gpu, repartitioned, failed);
    };
  }

  private MigListing whole(PolledGpu gpu, boolean repartitioned, MigMode mode) {
    isWhole = true;
    isComplete = true;
    follow(gpu, List.of(), repartitioned);
    return new MigListing(mode, List.of(), List.of());
  }

  private Failed<MigListing> failed(PolledGpu gpu, boolean repartitioned, Failed<?> failed) {
    failures = List.of(failed.call());
    isWhole = false;
    isComplete = false;
    follow(gpu, List.of(), repartitioned);
    return new Failed<>(failed.reason(), failed.code(), failed.function());
  }

  private NvmlResult<MigListing> listDevices(
      PolledGpu gpu, @Nullable Integer minor, boolean repartitioned) {
    var answer = gpu.nvml().mig().each(gpu.handle());
    for (int attempt = 1; attempt < MOST_ATTEMPTS && isWorthRetrying(answer); attempt++) {
      answer = gpu.nvml().mig().each(gpu.handle());
    }
    return switch (answer) {
      case Value<List<NvmlResult<MigDevice>>>(var each) ->
          new Value<>(listed(each, gpu, minor, repartitioned));
      case Unsupported<List<NvmlResult<MigDevice>>> _ -> {
        isCapable = false;
        yield new Value<>(whole(gpu, repartitioned, MigMode.INCAPABLE));
      }
      case Failed<List<NvmlResult<MigDevice>>> failed -> failed(gpu, repartitioned, failed);
    };
  }

  private static boolean isWorthRetrying(NvmlResult<List<NvmlResult<MigDevice>>> answer) {
    return switch (answer) {
      case Value<List<NvmlResult<MigDevice>>>(var each) ->
          each.stream().anyMatch(MigLister::isTransient);
      case Unsupported<List<NvmlResult<MigDevice>>> _ -> false;
      case Failed<List<NvmlResult<MigDevice>>>(var reason, _, _) ->
          reason != NvmlReturn.GPU_IS_LOST;
    };
  }

  /** What this program may not open it may not open in the next poll either. */
  private static boolean isTransient(NvmlResult<MigDevice> device) {
    return device instanceof Failed<MigDevice>(var reason, _, _)
        && reason != NvmlReturn.NO_PERMISSION;
  }

  private MigListing listed(
      List<NvmlResult<MigDevice>> each,
      PolledGpu gpu,
      @Nullable Integer minor,
      boolean repartitioned) {
    MigCaps caps = files.migCaps();
    List<@Nullable KnownMigDevice> now = new ArrayList<>();
    List<@Nullable String> refusals = new ArrayList<>();
    List<FailedCall> failed = new ArrayList<>();
    for (NvmlResult<MigDevice> one : each) {
      switch (one) {
        case Value<MigDevice>(var device) -> {
          NvmlResult<MigFacts> facts = describe(gpu.nvml(), device, minor, caps);
          now.add(
              new KnownMigDevice(
                  device, facts instanceof Value<MigFacts>(var known) ? known : null));
          refusals.add(facts instanceof Value<MigFacts> ? null : reason(facts));
        }
        case Unsupported<MigDevice> _ -> {
          now.add(null);
          refusals.add(reason(one));
        }
        case Failed<MigDevice> refusal -> {
          failed.add(refusal.call());
          now.add(null);
          refusals.add(reason(one));
        }
      }
    }
    failures = List.copyOf(failed);
    isWhole = each.isEmpty();
    isComplete = each.stream().noneMatch(MigLister::isTransient);
    logForbidden(each, gpu);
    boolean isSame = !repartitioned && isWithin(now, layout);
    Set<Integer> described =
        now.stream()
            .filter(Objects::nonNull)
            .map(one -> one.device().instance())
            .collect(Collectors.toSet());
    List<MigFacts> readable = new ArrayList<>();
    List<RefusedInstance> refused = new ArrayList<>();
    for (int position = 0; position < now.size(); position++) {
      KnownMigDevice before = isSame ? layout.get(position) : null;
      KnownMigDevice known = now.get(position);
      if (known == null) {
        now.set(position, before);
      }
      String refusal = refusals.get(position);
      if (refusal != null) {
        refused.add(new RefusedInstance(position, before == null ? null : before.facts(), refusal));
      } else if (known != null && known.facts() != null) {
        readable.add(known.facts());
      }
    }
    follow(gpu, now, repartitioned);
    show(gpu, described);
    return new MigListing(MigMode.ON, readable, refused);
  }

  /** Whether the described devices are the same as before, each at its position. */
  private static boolean isWithin(
      List<@Nullable KnownMigDevice> now, List<@Nullable KnownMigDevice> before) {
    if (now.size() != before.size()) {
      return false;
    }
    for (int position = 0; position < now.size(); position++) {
      KnownMigDevice one = now.get(position);
      KnownMigDevice other = before.get(position);
      if (one != null && (other == null || !one.isSameDevice(other))) {
        return false;
      }
    }
    return true;
  }

  private void follow(PolledGpu gpu, List<@Nullable KnownMigDevice> now, boolean repartitioned) {
    if (repartitioned || now.size() != layout.size() || !isWithin(now, layout)) {
      gpu.nvml().forgetInstances(gpu.handle());
    }
    layout = now;
    instances = List.of();
  }

  /** Instances with a described device; what was measured of the others is forgotten. */
  private void show(PolledGpu gpu, Set<Integer> described) {
    var byInstance =
        layout.stream()
            .filter(Objects::nonNull)
            .map(KnownMigDevice::device)
            .collect(Collectors.groupingBy(MigDevice::instance, TreeMap::new, Collectors.toList()));
    Set<Integer> hidden = new HashSet<>(byInstance.keySet());
    hidden.removeAll(described);
    hidden.forEach(instance -> gpu.nvml().forgetInstance(gpu.handle(), instance));
    byInstance.keySet().retainAll(described);
    instances =
        byInstance.values().stream().map(parts -> instance(gpu.gpu().uuid(), parts)).toList();
  }

  private static PolledGpu.Instance instance(GpuUuid parent, List<MigDevice> parts) {
    var first = parts.getFirst();
    var uuids = parts.stream().map(MigDevice::uuid).toList();
    return new PolledGpu.Instance(
        first.handle(), new MigInstance(parent, first.instance(), first.profile(), uuids));
  }

  private static NvmlResult<MigFacts> describe(
      Nvml nvml, MigDevice device, @Nullable Integer minor, MigCaps caps) {
    return nvml.mig()
        .size(device.handle())
        .then(
            size ->
                profile(nvml, device, size)
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

  /** The name has the whole profile; a driver without names for MIG devices has no variants. */
  private static NvmlResult<String> profile(Nvml nvml, MigDevice device, MigSize size) {
    return switch (MigName.of(nvml.name(device.handle()))) {
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

  private static String reason(NvmlResult<?> answer) {
    return answer instanceof Failed<?>(var reason, var code, _)
        ? reason.text() + " (code " + code + ')'
        : NvmlReturn.NOT_SUPPORTED.text();
  }

  private void logForbidden(List<NvmlResult<MigDevice>> each, PolledGpu gpu) {
    long now =
        each.stream().filter(one -> one instanceof Failed<MigDevice> && !isTransient(one)).count();
    if (now == forbidden) {
      return;
    }
    forbidden = now;
    if (now == 0) {
      log.info(
          "GPU {} ({}): all MIG devices are readable again", gpu.gpu().index(), gpu.gpu().uuid());
    } else {
      log.warn(
          "GPU {} ({}): the driver refuses {} of {} MIG devices; they have no series and are not"
              + " offered to new pods",
          gpu.gpu().index(),
          gpu.gpu().uuid(),
          now,
          each.size());
    }
  }
}
