package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.kubelet.KubeletState;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.runtime.RefreshingCache.CachedValue;
import io.gpureclaimer.doctor.Diagnosis;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Status of the device plugin at one moment, for people.
 *
 * @param view what it did last
 * @param kubelet how it stands with the kubelet
 * @param conditions of all devices that are offered
 * @param check what is wrong with the node; empty if it was not checked yet
 * @param held which devices pods have, by the kubelet's word; empty if it was not asked yet
 * @param simulated whether there are no real GPUs for which a node could be checked
 * @param at the moment
 */
public record PluginStatus(
    PluginView view,
    KubeletState kubelet,
    Map<Entity, Condition> conditions,
    Optional<CachedValue<Diagnosis>> check,
    Optional<PodResourcesListing> held,
    boolean simulated,
    Instant at) {
  public PluginStatus {
    conditions = Map.copyOf(conditions);
  }

  /** The source of the status, at any time. */
  @FunctionalInterface
  public interface StatusSource {
    PluginStatus now();
  }

  /** The conditions of what a view offers. */
  public static Map<Entity, Condition> conditions(
      PluginView view, Function<Entity, Condition> health) {
    return view.offer().resources().values().stream()
        .flatMap(resource -> resource.portions().stream())
        .map(AdvertisedDevice::device)
        .map(device -> device.entity())
        .distinct()
        .collect(Collectors.toMap(Function.identity(), health));
  }
}
