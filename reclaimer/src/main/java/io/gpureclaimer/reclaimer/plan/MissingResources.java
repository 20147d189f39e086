package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.HashMap;
import java.util.Map;

/**
 * What a node lacks for a pending pod.
 *
 * @param resource of which devices
 * @param devices how many of them; zero or less when enough are free
 * @param others by how much it lacks other resources, by name, in thousandths; only those it lacks
 */
record MissingResources(String resource, int devices, Map<String, Long> others) {
  MissingResources {
    others = Map.copyOf(others);
  }

  /** What the node lacks once a victim has left this. */
  MissingResources without(int leftDevices, Map<String, Long> leftOthers) {
    if (others.isEmpty()) {
      return new MissingResources(resource, devices - leftDevices, others);
    }
    Map<String, Long> lacking = new HashMap<>(others);
    leftOthers.forEach((name, amount) -> lacking.computeIfPresent(name, (_, is) -> is - amount));
    lacking.values().removeIf(amount -> amount <= 0);
    return new MissingResources(resource, devices - leftDevices, lacking);
  }

  /** Only the devices. */
  MissingResources ofDevices() {
    return new MissingResources(resource, devices, Map.of());
  }

  /** Whether it lacks nothing. */
  boolean isNothing() {
    return devices <= 0 && others.isEmpty();
  }

  /**
   * Whether a victim leaves, for each of its devices, as much of the others as the node lacks for
   * each device it lacks. Such victims leave enough of all if they leave enough devices.
   */
  boolean isLeftInProportion(Due victim, String node) {
    long held = victim.workload().heldOn(node, resource);
    Map<String, Long> left = victim.workload().requestedOn(node);
    return others.entrySet().stream()
        .allMatch(each -> left.getOrDefault(each.getKey(), 0L) * devices >= each.getValue() * held);
  }
}
