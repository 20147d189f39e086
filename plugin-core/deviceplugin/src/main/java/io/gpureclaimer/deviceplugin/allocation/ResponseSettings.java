package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.vocabulary.CdiNames;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of allocation responses.
 *
 * @param strategies how the runtime learns of devices; at least one
 * @param ids how devices are named for NVIDIA's runtime
 * @param passDeviceSpecs whether device files are passed through the kubelet too, unless all
 *     strategies are CDI's
 * @param devRoot the folder of the node below which its {@code /dev} is
 * @param cdi how devices are called in CDI
 * @param annotationPrefix what the key of a CDI annotation begins with
 * @param features what else NVIDIA's runtime should bring
 * @param imexChannels channels of the NVLink fabric that every container gets
 * @param imexRequired whether a container is refused while a channel is not there
 * @param mpsRoot the folder of the node for the sockets and shared memory of MPS; null if not set
 * @param exposeBudget whether a container learns how much memory its shares stand for
 */
public record ResponseSettings(
    Set<DeviceListStrategy> strategies,
    DeviceIdStrategy ids,
    boolean passDeviceSpecs,
    Path devRoot,
    CdiNames cdi,
    String annotationPrefix,
    Set<Feature> features,
    List<Integer> imexChannels,
    boolean imexRequired,
    @Nullable Path mpsRoot,
    boolean exposeBudget) {
  public ResponseSettings {
    strategies = Set.copyOf(strategies);
    features = Set.copyOf(features);
    imexChannels = List.copyOf(imexChannels);
    if (strategies.isEmpty()) {
      throw new IllegalArgumentException(
          "there must be a strategy by which the runtime learns of devices, was none");
    }
  }

  /** Whether CDI is the only way in which the runtime learns of devices. */
  boolean onlyCdi() {
    return strategies.stream().allMatch(DeviceListStrategy::isCdi);
  }

  boolean anyCdi() {
    return strategies.stream().anyMatch(DeviceListStrategy::isCdi);
  }
}
