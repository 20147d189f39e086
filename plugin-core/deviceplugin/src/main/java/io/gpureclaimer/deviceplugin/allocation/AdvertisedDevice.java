package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A device as it is advertised: as a whole, or in several replicas.
 *
 * @param origin the resource that it belongs to while it is not shared
 * @param device the device
 * @param sharing by whom those are kept apart who share it
 * @param replicas in how many shares it is offered; one if it is not shared
 * @param healthy whether a new container may get it
 */
public record AdvertisedDevice(
    ResourceName origin,
    Device device,
    Sharing.SharingKind sharing,
    int replicas,
    boolean healthy) {
  private static final String SHARE = "::";

  public AdvertisedDevice {
    if (replicas < 1 || (sharing == Sharing.SharingKind.NONE && replicas != 1)) {
      throw new IllegalArgumentException(
          "a device must be offered once, or in shares, was " + replicas + " of " + sharing);
    }
  }

  /** Whether it is offered in shares. */
  public boolean isShared() {
    return sharing != Sharing.SharingKind.NONE;
  }

  /** Its id for the kubelet: the UUID, of shares with {@code ::} and a number. */
  public List<String> ids() {
    return isShared()
        ? IntStream.range(0, replicas).mapToObj(n -> device.uuid() + SHARE + n).toList()
        : List.of(device.uuid());
  }

  /** The UUID of the device that an id is of. */
  public static String deviceOf(String id) {
    int share = id.indexOf(SHARE);
    return share < 0 ? id : id.substring(0, share);
  }

  /** The memory that one share stands for; null if that of the device is not known. */
  public @Nullable Long memoryBytes() {
    Long whole = device.memoryBytes();
    return whole == null ? null : whole / replicas;
  }

  List<ListedDevice> offered(boolean givable) {
    Integer node = device.numaNode();
    List<Integer> near = node == null ? List.of() : List.of(node);
    return ids().stream().map(id -> new ListedDevice(id, givable, near)).toList();
  }
}
