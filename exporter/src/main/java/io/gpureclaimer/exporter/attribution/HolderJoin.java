package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.device.DeviceId;
import io.gpureclaimer.common.device.DeviceId.Named;
import io.gpureclaimer.common.device.DeviceName.ByMigUuid;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.kubelet.ClaimDevice;
import io.gpureclaimer.deviceplugin.kubelet.ContainerDevice;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimName;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.DeviceDescription;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import io.gpureclaimer.exporter.sample.Claim;
import io.gpureclaimer.exporter.sample.Claim.ClaimedMigDevice;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Joins the kubelet's allocations with pods, published devices, claims and the GPUs of this node.
 * Used once.
 */
final class HolderJoin {
  private final NodePods.KnownPods pods;
  private final ResourceSliceDevices.KnownDevices published;
  private final ResourceClaims.KnownClaims claims;
  private final DeviceLookup inventory;
  private final Map<Entity, List<DeviceAssignment>> holdings = new LinkedHashMap<>();
  private final List<String> unmapped = new ArrayList<>();
  private final List<Holder> unplaced = new ArrayList<>();
  private final Set<ClaimedContainer> placeless = new HashSet<>();
  private int unclear;

  private HolderJoin(
      NodePods.KnownPods pods,
      ResourceSliceDevices.KnownDevices published,
      ResourceClaims.KnownClaims claims,
      DeviceLookup inventory) {
    this.pods = pods;
    this.published = published;
    this.claims = claims;
    this.inventory = inventory;
  }

  /**
   * Holders of each device.
   *
   * @param holdings by device
   * @param unmapped ids of held devices that identify no device; nothing is guessed about them
   * @param unclear how many devices pods have by claims of which it is unknown whether they hold or
   *     only observe them
   * @param unplaced who holds the former, and has the latter
   */
  record HolderJoinResult(
      Map<Entity, List<DeviceAssignment>> holdings,
      List<String> unmapped,
      int unclear,
      List<Holder> unplaced) {
    HolderJoinResult {
      holdings = Map.copyOf(holdings);
      unmapped = List.copyOf(unmapped);
      unplaced = List.copyOf(unplaced);
    }
  }

  /** A pod that has ended holds nothing, whether the kubelet has noticed or not. */
  static HolderJoinResult of(
      Listed answer,
      NodePods.KnownPods pods,
      ResourceSliceDevices.KnownDevices published,
      ResourceClaims.KnownClaims claims,
      DeviceLookup inventory) {
    var join = new HolderJoin(pods, published, claims, inventory);
    answer.devices().forEach(join::add);
    answer.claims().forEach(join::add);
    return new HolderJoinResult(join.holdings, join.unmapped, join.unclear, join.unplaced);
  }

  private void add(ContainerDevice device) {
    var pod = new NamespacedPodName(device.namespace(), device.pod());
    if (!pods.ended().contains(pod)) {
      add(device.id(), device.id(), pod, device.container(), null);
    }
  }

  private void add(ClaimDevice held) {
    var pod = new NamespacedPodName(held.namespace(), held.pod());
    if (!pods.ended().contains(pod)) {
      var claim = new ClaimName(held.claimNamespace(), held.claim());
      var device = new PublishedDevice(held.pool(), held.device());
      switch (claims.access(claim, device)) {
        case HOLDS -> add(held, pod, published.devices().get(device));
        case LOOKS_ON -> {}
        case UNKNOWN -> {
          if (placeless.add(new ClaimedContainer(pod, name(held)))) {
            unclear++;
            unplaced.add(holder(pod, held.container()));
          }
        }
      }
    }
  }

  private void add(
      ClaimDevice held, NamespacedPodName pod, @Nullable DeviceDescription description) {
    if (description == null) {
      unmap(name(held), pod, held.container());
    } else {
      add(description.uuid(), name(held), pod, held.container(), claim(held, description));
    }
  }

  private static String name(ClaimDevice held) {
    return held.driver() + "/" + held.pool() + "/" + held.device();
  }

  private void add(
      String id, String shown, NamespacedPodName pod, String container, @Nullable Claim claim) {
    if (DeviceId.of(id) instanceof Named(var device, var share)) {
      inventory
          .find(device)
          .ifPresentOrElse(
              entity ->
                  holdings
                      .computeIfAbsent(entity, absent -> new ArrayList<>())
                      .add(holding(pod, container, share, claim)),
              () -> unmap(shown, pod, container));
    } else {
      unmap(shown, pod, container);
    }
  }

  private void unmap(String shown, NamespacedPodName pod, String container) {
    if (placeless.add(new ClaimedContainer(pod, shown))) {
      unmapped.add(shown);
      unplaced.add(holder(pod, container));
    }
  }

  private Holder holder(NamespacedPodName pod, String container) {
    var known = pods.running().get(pod);
    return new Holder(pod.namespace(), pod.name(), container, known == null ? null : known.uid());
  }

  private DeviceAssignment holding(
      NamespacedPodName pod, String container, @Nullable String share, @Nullable Claim claim) {
    var known = pods.running().get(pod);
    return new DeviceAssignment(
        holder(pod, container),
        share,
        claim,
        known == null ? ServedPodLabels.NONE : known.labels());
  }

  /** The kubelet names a device of a claim for each of the pod's containers that use the claim. */
  private record ClaimedContainer(NamespacedPodName pod, String device) {}

  private static Claim claim(ClaimDevice held, DeviceDescription device) {
    boolean isMig = DeviceId.of(device.uuid()) instanceof Named(ByMigUuid _, _);
    return new Claim(
        held.claim(),
        held.claimNamespace(),
        held.driver(),
        held.pool(),
        held.device(),
        isMig ? new ClaimedMigDevice(device.uuid(), device.migProfile()) : null);
  }
}
