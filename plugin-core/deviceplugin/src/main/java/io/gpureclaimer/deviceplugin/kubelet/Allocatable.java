package io.gpureclaimer.deviceplugin.kubelet;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Result of the query for allocatable devices. */
public sealed interface Allocatable {

  /**
   * The kubelet answered.
   *
   * @param ids of the devices that it holds for healthy, by the name of the resource; those in use
   *     are among them, and a resource that is not here has none
   */
  record Known(Map<String, Set<String>> ids) implements Allocatable {
    public Known {
      ids =
          ids.entrySet().stream()
              .collect(
                  Collectors.toUnmodifiableMap(
                      Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    }
  }

  /** This kubelet does not offer the call: it is older than 1.23, or the call is disabled. */
  record Unsupported() implements Allocatable {}

  /**
   * Nothing was learned; the next attempt may succeed.
   *
   * @param reason one line for a human
   */
  record Failed(String reason) implements Allocatable {}
}
