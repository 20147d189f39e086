package io.gpureclaimer.reclaimer.rightsize;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.Holding;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.Peak;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceKind;
import io.gpureclaimer.reclaimer.rightsize.WorkloadUsage.DeviceTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Sums of one workload while the looks are played. Confined to one thread. */
final class WorkloadUsageTotals {
  private final String namespace;
  private final String kind;
  private final String name;
  private final boolean isGone;
  private final Map<Holding, Duration> held = new HashMap<>();
  private final Map<String, Set<Entity>> active = new HashMap<>();
  private Duration heldTime = Duration.ZERO;
  private Duration activeTime = Duration.ZERO;
  private Duration unknownTime = Duration.ZERO;
  private DeviceKind deviceKind = DeviceKind.GPU;
  private int devicesPerPod;
  private int devicesAtOnce;
  private int usedAtOnce;
  private int podsAtOnce;
  private long looks;
  private long podLooks;
  private int devicesOfLook;
  private int usedOfLook;
  private int podsOfLook;

  WorkloadUsageTotals(String namespace, String kind, String name, boolean isGone) {
    this.namespace = namespace;
    this.kind = kind;
    this.name = name;
    this.isGone = isGone;
  }

  void beginLook() {
    devicesOfLook = 0;
    usedOfLook = 0;
    podsOfLook = 0;
    looks++;
  }

  void endLook() {
    devicesAtOnce = Math.max(devicesAtOnce, devicesOfLook);
    usedAtOnce = Math.max(usedAtOnce, usedOfLook);
    podsAtOnce = Math.max(podsAtOnce, podsOfLook);
  }

  /** A time in which nothing is known of devices of a pod. */
  void unknown(int devices, Duration time) {
    heldTime = heldTime.plus(time.multipliedBy(devices));
    unknownTime = unknownTime.plus(time.multipliedBy(devices));
  }

  /** A look at a pod of which nothing is known; it counts as a pod that works. */
  void unknownPod(PodView pod, int devices, Duration step) {
    count(pod, devices);
    unknown(devices, step);
    podsOfLook++;
    usedOfLook += devices;
  }

  /**
   * A look at a pod whose devices are all known.
   *
   * @param begin of the time that the look stands for
   */
  void knownPod(PodView pod, List<DeviceActivity> devices, Instant begin, Duration step) {
    count(pod, devices.size());
    var podName = new PodName(pod.ref().namespace(), pod.ref().name());
    int working = 0;
    for (DeviceActivity device : devices) {
      held.merge(new Holding(podName, device.device()), step, Duration::plus);
      if (device.lastActive().filter(last -> last.isAfter(begin)).isPresent()) {
        active.computeIfAbsent(pod.ref().uid(), _ -> new HashSet<>()).add(device.device());
        working++;
      }
    }
    heldTime = heldTime.plus(step.multipliedBy(devices.size()));
    activeTime = activeTime.plus(step.multipliedBy(working));
    usedOfLook += working;
    podsOfLook += working > 0 ? 1 : 0;
  }

  private void count(PodView pod, int devices) {
    podLooks++;
    devicesOfLook += devices;
    devicesPerPod = Math.max(devicesPerPod, devices);
    if (pod.accelerators().hasUncounted() || pod.accelerators().shares()) {
      deviceKind = DeviceKind.SHARED;
    } else if (deviceKind == DeviceKind.GPU && !pod.accelerators().slices().isEmpty()) {
      deviceKind = DeviceKind.MIG_INSTANCE;
    }
  }

  WorkloadUsage close(DevicePeaks.PeaksResult.Known peaks) {
    int usedPerPod = active.values().stream().mapToInt(Set::size).max().orElse(0);
    return new WorkloadUsage(
        namespace,
        kind,
        name,
        isGone,
        devicesPerPod,
        usedPerPod,
        devicesAtOnce,
        usedAtOnce,
        (int) (podLooks / Math.max(1, looks)),
        podsAtOnce,
        new DeviceTime(heldTime, activeTime, unknownTime),
        held.keySet().stream().anyMatch(each -> each.device().instanceId().isPresent())
                && deviceKind == DeviceKind.GPU
            ? DeviceKind.MIG_INSTANCE
            : deviceKind,
        new WorkloadUsage.UsagePeaks(
            memory(peaks),
            lowest(peaks, Peak::totalMebibytes),
            highest(peaks, Peak::smActive),
            highest(peaks, Peak::utilization),
            model(peaks)));
  }

  /** A time without samples may hide the highest value; a step at each end is not counted. */
  private OptionalDouble memory(DevicePeaks.PeaksResult.Known peaks) {
    boolean isComplete =
        held.entrySet().stream()
            .allMatch(
                each ->
                    peak(peaks, each.getKey())
                            .memorySampled()
                            .compareTo(each.getValue().minus(peaks.step()))
                        >= 0);
    return isComplete ? highest(peaks, Peak::memoryMebibytes) : OptionalDouble.empty();
  }

  /** The highest of all its devices; absent unless each has one. */
  private OptionalDouble highest(
      DevicePeaks.PeaksResult.Known peaks, Function<Peak, OptionalDouble> value) {
    return areAllKnown(peaks, value)
        ? held.keySet().stream()
            .mapToDouble(each -> value.apply(peak(peaks, each)).orElseThrow())
            .max()
        : OptionalDouble.empty();
  }

  private OptionalDouble lowest(
      DevicePeaks.PeaksResult.Known peaks, Function<Peak, OptionalDouble> value) {
    return areAllKnown(peaks, value)
        ? held.keySet().stream()
            .mapToDouble(each -> value.apply(peak(peaks, each)).orElseThrow())
            .min()
        : OptionalDouble.empty();
  }

  private boolean areAllKnown(
      DevicePeaks.PeaksResult.Known peaks, Function<Peak, OptionalDouble> value) {
    return held.keySet().stream().allMatch(each -> value.apply(peak(peaks, each)).isPresent());
  }

  private Optional<String> model(DevicePeaks.PeaksResult.Known peaks) {
    Set<Optional<String>> models =
        held.keySet().stream().map(each -> peak(peaks, each).model()).collect(Collectors.toSet());
    return models.size() == 1 ? models.iterator().next() : Optional.empty();
  }

  private static Peak peak(DevicePeaks.PeaksResult.Known peaks, Holding holding) {
    return peaks.peaks().getOrDefault(holding, Peak.NOTHING);
  }

  /** Memory of the models of whole GPUs that any pod held, in MiB; the smallest of each. */
  static Map<String, Double> models(DevicePeaks.PeaksResult.Known peaks) {
    Map<String, Double> models = new HashMap<>();
    peaks
        .peaks()
        .forEach(
            (holding, peak) -> {
              if (holding.device().instanceId().isEmpty()
                  && peak.model().isPresent()
                  && peak.totalMebibytes().isPresent()) {
                models.merge(peak.model().get(), peak.totalMebibytes().getAsDouble(), Math::min);
              }
            });
    return models;
  }
}
