package io.gpureclaimer.exporter.attribution.process;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.exporter.attribution.NodePods;
import io.gpureclaimer.exporter.attribution.NodePods.RunningPod;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.process.ProcessLocation.ContainerRef;
import io.gpureclaimer.exporter.sample.ContainerUsage;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses.ProcessUse;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes what each container uses of the devices that it holds, from the processes on them.
 * Confined to the sampling job.
 *
 * <p>All or nothing: if one process on a device may belong to any of its holders, nothing is
 * reported for that device, because each of them would seem to use less than it does. Processes
 * that are in no pod, or in a pod that does not hold the device, belong to no holder.
 */
public final class ContainerUsageReader {
  private static final double ALL_THE_TIME = 100;

  private final ProcFolder proc;

  /**
   * @param proc the kernel's folder of processes
   */
  public ContainerUsageReader(ProcFolder proc) {
    this.proc = proc;
  }

  /**
   * What is known of the use of devices.
   *
   * @param processes on the devices whose driver reports them
   * @param holdings who holds which device
   * @param pods what is known of the pods on this node
   */
  public ContainerUsage of(
      Map<Entity, DeviceProcesses> processes,
      Map<Entity, List<DeviceAssignment>> holdings,
      NodePods.KnownPods pods) {
    if (!proc.isOfHost()) {
      return new ContainerUsage.Unavailable(
          "the host's processes cannot be seen: hostPID is needed");
    }
    if (pods.watch() instanceof WatchState.NotEnabled) {
      return new ContainerUsage.Unavailable(
          "the uids of the pods are not known: pod-uids are needed");
    }
    if (pods.watch() instanceof WatchState.NotSynced(var reason) && pods.running().isEmpty()) {
      return new ContainerUsage.Unavailable("the uids of the pods are not known: " + reason);
    }
    var byUid = new HashMap<String, RunningPod>();
    pods.running()
        .values()
        .forEach(pod -> byUid.merge(pod.kernelUid(), pod, ContainerUsageReader::truer));
    var found = new HashMap<Entity, List<ContainerUse>>();
    holdings.forEach(
        (device, held) -> {
          var on = processes.get(device);
          if (on != null) {
            var holders = held.stream().map(DeviceAssignment::holder).distinct().toList();
            uses(on, holders, byUid).ifPresent(uses -> found.put(device, uses));
          }
        });
    return new ContainerUsage.Known(found);
  }

  /** A uid is the API server's word; a hash stands in an annotation, which its owner may write. */
  private static RunningPod truer(RunningPod one, RunningPod other) {
    return one.hash() == null ? one : other;
  }

  private Optional<List<ContainerUse>> uses(
      DeviceProcesses on, List<Holder> holders, Map<String, RunningPod> pods) {
    var shares = new LinkedHashMap<Holder, List<ProcessUse>>();
    for (Holder holder : holders) {
      if (holder.uid() == null) {
        return Optional.empty();
      }
      shares.put(holder, new ArrayList<>());
    }
    for (ProcessUse process : on.running()) {
      switch (ownerOf(process.pid(), holders, pods)) {
        case ProcessOwner.Container(var holder) ->
            shares.getOrDefault(holder, List.of()).add(process);
        case ProcessOwner.NoHolder() -> {}
        case ProcessOwner.Unknown() -> {
          return Optional.empty();
        }
      }
    }
    var uses = new ArrayList<ContainerUse>();
    shares.forEach((holder, share) -> uses.add(together(holder, share, on.hasSm())));
    return Optional.of(uses);
  }

  /** Holder of a device that a process belongs to. */
  private sealed interface ProcessOwner {
    record Container(Holder holder) implements ProcessOwner {}

    record NoHolder() implements ProcessOwner {}

    record Unknown() implements ProcessOwner {}
  }

  private ProcessOwner ownerOf(long pid, List<Holder> holders, Map<String, RunningPod> pods) {
    return switch (proc.of(pid)) {
      // The driver may count its memory still, and it may have been of any container.
      case ProcessLocation.Gone() -> new ProcessOwner.Unknown();
      case ProcessLocation.Hidden _ -> new ProcessOwner.Unknown();
      case ProcessLocation.In(var places) when places.isEmpty() -> new ProcessOwner.NoHolder();
      case ProcessLocation.In(var places) ->
          places.stream()
              .filter(place -> pods.containsKey(place.podUid()))
              .findFirst()
              .map(
                  place ->
                      ownerOf(place, holders, Objects.requireNonNull(pods.get(place.podUid()))))
              // An unknown pod may be one of the holders, under another uid.
              .orElseGet(ProcessOwner.Unknown::new);
    };
  }

  /**
   * Of a container that holds the device. Other processes of the pod, before its containers begin,
   * beside them, or in an unknown container, use what is the pod's: the one container's that holds
   * the device, or one of several.
   */
  private static ProcessOwner ownerOf(ContainerRef place, List<Holder> holders, RunningPod pod) {
    var ofPod = holders.stream().filter(holder -> pod.uid().equals(holder.uid())).toList();
    if (ofPod.isEmpty()) {
      return new ProcessOwner.NoHolder();
    }
    return place
        .container()
        .flatMap(id -> Optional.ofNullable(pod.containers().get(id)))
        .flatMap(name -> ofPod.stream().filter(it -> it.container().equals(name)).findFirst())
        .or(() -> ofPod.size() == 1 ? Optional.of(ofPod.getFirst()) : Optional.empty())
        .<ProcessOwner>map(ProcessOwner.Container::new)
        .orElseGet(ProcessOwner.Unknown::new);
  }

  private static ContainerUse together(Holder holder, List<ProcessUse> share, boolean hasSm) {
    return new ContainerUse(
        holder,
        sum(share, ProcessUse::memoryBytes).map(Double::longValue).orElse(null),
        hasSm
            ? sum(share, ProcessUse::smPercent).map(ContainerUsageReader::ofTime).orElse(null)
            : null);
  }

  /** The values of two processes need not be of the same moment: they may have taken turns. */
  private static double ofTime(double percent) {
    return Math.min(percent, ALL_THE_TIME);
  }

  /** Empty if it is not known of each. */
  private static Optional<Double> sum(
      List<ProcessUse> share, Function<ProcessUse, @Nullable Number> part) {
    double sum = 0;
    for (ProcessUse process : share) {
      Number value = part.apply(process);
      if (value == null) {
        return Optional.empty();
      }
      sum += value.doubleValue();
    }
    return Optional.of(sum);
  }
}
