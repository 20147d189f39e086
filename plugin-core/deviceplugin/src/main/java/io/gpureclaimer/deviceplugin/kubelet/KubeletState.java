package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * State of the device plugin towards the kubelet.
 *
 * @param resources all that are offered or once were, in the order of their names
 * @param kubeletMissing why the kubelet cannot be reached at its socket, in one line; null if the
 *     socket is there
 * @param selfCheck what came of asking the kubelet last what it believes, in one line for a human
 */
public record KubeletState(
    Map<ResourceName, ResourceState> resources, @Nullable String kubeletMissing, String selfCheck) {

  /** Before anything has happened. */
  static final KubeletState INITIAL =
      new KubeletState(Map.of(), null, "not asked yet what it believes");

  public KubeletState {
    resources = Collections.unmodifiableMap(new TreeMap<>(resources));
  }

  /** Whether the kubelet knows everything that is offered, as far as this end can know. */
  public boolean watched() {
    return resources.values().stream().allMatch(ResourceState::watched);
  }
}
