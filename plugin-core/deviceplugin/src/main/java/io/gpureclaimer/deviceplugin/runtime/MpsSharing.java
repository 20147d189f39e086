package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResources;
import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.allocation.Sharing;
import io.gpureclaimer.deviceplugin.mps.MpsShare;
import io.gpureclaimer.deviceplugin.mps.MpsShare.SharedGpu;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Resources that are shared through MPS, and those that cannot be allocated now. Confined to one
 * thread; the daemons are supervised on another, which may wait for them.
 */
final class MpsSharing implements AutoCloseable {
  private final MpsSupervision care;
  private @Nullable Path root;

  MpsSharing(MpsSupervision care) {
    this.care = care;
  }

  /** Has the daemons supervised that this offer needs, and all others ended. */
  void keep(AdvertisedResources offer, NodeInventory inventory, @Nullable Path mpsRoot) {
    if (root != null || mpsRoot != null) {
      care.want(mpsRoot, mpsRoot == null ? List.of() : shares(offer, inventory));
    }
    root = mpsRoot == null ? root : mpsRoot;
  }

  /** Why no container may get a share of the resource now; empty if its daemon is up. */
  Optional<String> down(ResourceName resource) {
    return care.down(resource.value());
  }

  private static List<MpsShare> shares(AdvertisedResources offer, NodeInventory inventory) {
    Set<GpuUuid> answering =
        inventory.responding().map(facts -> facts.gpu().uuid()).collect(Collectors.toSet());
    return offer.resources().values().stream()
        .map(resource -> shared(resource, answering))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * A GPU that does not answer is left to itself, so that the others can go on. If none does, a
   * daemon that is up stays as it is: they may answer again.
   */
  private static Optional<MpsShare> shared(AdvertisedResource resource, Set<GpuUuid> answering) {
    List<SharedGpu> all =
        resource.portions().stream()
            .filter(portion -> portion.sharing() == Sharing.SharingKind.MPS)
            .map(MpsSharing::gpu)
            .toList();
    List<SharedGpu> some = all.stream().filter(gpu -> answering.contains(gpu.uuid())).toList();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(new MpsShare(resource.name().value(), some.isEmpty() ? all : some));
  }

  private static SharedGpu gpu(AdvertisedDevice portion) {
    return new SharedGpu(
        portion.device().gpu(), portion.replicas(), portion.device().memoryBytes());
  }

  /** Ends the daemons; GPUs are what they were before. */
  @Override
  public void close() {
    care.close();
  }
}
