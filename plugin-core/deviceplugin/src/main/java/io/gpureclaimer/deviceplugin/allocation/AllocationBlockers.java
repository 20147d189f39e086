package io.gpureclaimer.deviceplugin.allocation;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds what prevents the allocation of a device to any container. Devices with the same blocker
 * get the same text, so that users see it once.
 */
final class AllocationBlockers {
  private final ResourceName name;
  private final ResponseSettings settings;
  private final NodeEnvironment there;
  private final AllocatedDeviceFiles files;

  AllocationBlockers(ResourceName name, ResponseSettings settings, NodeEnvironment there) {
    this.name = name;
    this.settings = settings;
    this.there = there;
    this.files = new AllocatedDeviceFiles(settings, there);
  }

  /** Empty if nothing does. */
  Optional<AllocationBlocker> of(AdvertisedDevice portion) {
    return holder(portion.device())
        .or(() -> unknownHolder(portion.device()))
        .or(() -> daemon(portion))
        .or(() -> cdi(portion.device()))
        .or(this::channel)
        .or(() -> unknownFiles(portion.device()));
  }

  private Optional<AllocationBlocker> holder(Device device) {
    return there.heldOtherwise().contains(device.uuid())
        ? Optional.of(
            new AllocationBlocker(
                AllocationBlocker.BlockerKind.HELD,
                "it is allocated to a container under an earlier configuration: end "
                    + "that pod, or wait until it has ended"))
        : Optional.empty();
  }

  private Optional<AllocationBlocker> unknownHolder(Device device) {
    return there.unaccounted().contains(device.uuid())
        ? Optional.of(
            new AllocationBlocker(
                AllocationBlocker.BlockerKind.HELD,
                "it is advertised differently than before, and the kubelet has not "
                    + "reported its allocation since: wait until the kubelet responds; "
                    + "see the agent's log"))
        : Optional.empty();
  }

  private Optional<AllocationBlocker> daemon(AdvertisedDevice portion) {
    return portion.sharing() == Sharing.SharingKind.MPS
        ? there
            .mpsDown()
            .apply(name)
            .map(why -> new AllocationBlocker(AllocationBlocker.BlockerKind.MPS, why))
        : Optional.empty();
  }

  private Optional<AllocationBlocker> cdi(Device device) {
    String wanted = settings.cdi().device(device.uuid());
    return settings.anyCdi() && !there.cdiDevices().contains(wanted)
        ? Optional.of(
            new AllocationBlocker(
                AllocationBlocker.BlockerKind.CDI,
                "its CDI device is missing, so containers with it would not start: "
                    + "fix the cause, which is in the agent's log, or remove CDI from the "
                    + "device list strategy"))
        : Optional.empty();
  }

  private Optional<AllocationBlocker> channel() {
    Optional<Path> absent =
        settings.imexRequired() ? files.absentChannels().findFirst() : Optional.empty();
    return absent.map(
        channel ->
            new AllocationBlocker(
                AllocationBlocker.BlockerKind.IMEX,
                "the IMEX channel "
                    + channel
                    + " is required and not there: load the driver with its IMEX channels, or set"
                    + " imex.required to false"));
  }

  private Optional<AllocationBlocker> unknownFiles(Device device) {
    return settings.passDeviceSpecs() && !settings.onlyCdi() && device.files().isEmpty()
        ? Optional.of(
            new AllocationBlocker(
                AllocationBlocker.BlockerKind.DEVICE_FILES,
                "its device files are not known: let "
                    + "/proc/driver/nvidia-caps/mig-minors be readable,"
                    + " or do not pass device specs"))
        : Optional.empty();
  }
}
