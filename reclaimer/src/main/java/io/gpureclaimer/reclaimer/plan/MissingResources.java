package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.plan.CandidateNode.VictimCandidate;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * What a node lacks for a pending pod.
 *
 * @param devices how many of each kind that the pod requests; zero or less when enough are free
 * @param others by how much it lacks other resources, by name, in thousandths; only those it lacks
 */
record MissingResources(Map<String, Integer> devices, Map<String, Long> others) {
  MissingResources {
    devices = Map.copyOf(devices);
    others = Map.copyOf(others);
  }

  /** What the node lacks once a victim has left this. */
  MissingResources without(Map<String, Integer> leftDevices, Map<String, Long> leftOthers) {
    Map<String, Integer> fewer =
        byKind(
            devices.keySet(),
            kind -> devices.getOrDefault(kind, 0) - leftDevices.getOrDefault(kind, 0));
    if (others.isEmpty()) {
      return new MissingResources(fewer, others);
    }
    Map<String, Long> lacking = new HashMap<>(others);
    leftOthers.forEach((name, amount) -> lacking.computeIfPresent(name, (_, is) -> is - amount));
    lacking.values().removeIf(amount -> amount <= 0);
    return new MissingResources(fewer, lacking);
  }

  /** Only the devices. */
  MissingResources ofDevices() {
    return new MissingResources(devices, Map.of());
  }

  /** Whether it lacks nothing. */
  boolean isNothing() {
    return !lacksDevices() && others.isEmpty();
  }

  /** Whether it lacks devices of any kind. */
  boolean lacksDevices() {
    for (int count : devices.values()) {
      if (count > 0) {
        return true;
      }
    }
    return false;
  }

  /** Devices that stay free beside the pod, where enough of each kind are. */
  int surplus() {
    int surplus = 0;
    for (int count : devices.values()) {
      surplus -= count;
    }
    return surplus;
  }

  /** Whether a victim that leaves this leaves some of what the node lacks. */
  boolean isReducedBy(Map<String, Integer> leftDevices, Map<String, Long> leftOthers) {
    for (Map.Entry<String, Integer> each : devices.entrySet()) {
      if (each.getValue() > 0 && leftDevices.getOrDefault(each.getKey(), 0) > 0) {
        return true;
      }
    }
    for (String name : others.keySet()) {
      if (leftOthers.getOrDefault(name, 0L) > 0) {
        return true;
      }
    }
    return false;
  }

  /** A number of each kind; most pods request one, for which a hash table would cost time. */
  static Map<String, Integer> byKind(Set<String> kinds, ToIntFunction<String> count) {
    if (kinds.size() == 1) {
      String only = kinds.iterator().next();
      return Map.of(only, count.applyAsInt(only));
    }
    Map<String, Integer> counts = HashMap.newHashMap(kinds.size());
    kinds.forEach(kind -> counts.put(kind, count.applyAsInt(kind)));
    return counts;
  }

  /**
   * Whether a victim leaves, for each of its devices that are missing, as much of the others as the
   * node lacks for each device it lacks. Such victims leave enough of all if they leave enough
   * devices.
   */
  boolean isLeftInProportion(VictimCandidate victim, String node) {
    long missing = 0;
    long held = 0;
    for (Map.Entry<String, Integer> each : devices.entrySet()) {
      if (each.getValue() > 0) {
        missing += each.getValue();
        held += victim.devices().getOrDefault(each.getKey(), 0);
      }
    }
    Map<String, Long> left = victim.due().workload().requestedOn(node);
    for (Map.Entry<String, Long> each : others.entrySet()) {
      if (left.getOrDefault(each.getKey(), 0L) * missing < each.getValue() * held) {
        return false;
      }
    }
    return true;
  }
}
