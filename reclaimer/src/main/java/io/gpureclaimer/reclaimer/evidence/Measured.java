package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.Signal.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The signals of one look, of devices and of pods. Of several about the same, the highest stays.
 * Confined to its {@link Gathering}.
 */
public final class Measured {
  private final Map<Entity, Map<Kind, Signal>> devices = new HashMap<>();
  private final Map<PodName, Map<Kind, Signal>> pods = new HashMap<>();

  /** Takes what was measured of a device; without a device it is nobody's. */
  public void add(Optional<Entity> device, Signal signal) {
    device.ifPresent(
        known -> merge(devices.computeIfAbsent(known, _ -> new EnumMap<>(Kind.class)), signal));
  }

  /** Takes what was measured of a pod. */
  public void add(PodName pod, Signal signal) {
    merge(pods.computeIfAbsent(pod, _ -> new EnumMap<>(Kind.class)), signal);
  }

  List<Signal> of(Entity device) {
    return List.copyOf(devices.getOrDefault(device, Map.of()).values());
  }

  Map<PodName, List<Signal>> byPod() {
    Map<PodName, List<Signal>> lists = HashMap.newHashMap(pods.size());
    pods.forEach((pod, signals) -> lists.put(pod, new ArrayList<>(signals.values())));
    return lists;
  }

  /** What is no number stays too: it says that the pod works. */
  private static void merge(Map<Kind, Signal> signals, Signal signal) {
    signals.merge(
        signal.kind(),
        signal,
        (one, other) -> Double.isNaN(one.value()) || one.value() >= other.value() ? one : other);
  }
}
