package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec.CdiDevice;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.BindMount;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Device files in addition to GPUs: IMEX channels, GPUDirect storage and network devices. */
final class AccessoryDevices {
  /** The one device of a class that has no parts. */
  private static final String WHOLE = "all";

  private static final String CHANNEL = "/dev/nvidia-caps-imex-channels/channel";

  private final CdiSettings settings;
  private final DeviceFiles devices;
  private final RootedFiles driver;

  AccessoryDevices(CdiSettings settings, DeviceFiles devices, RootedFiles driver) {
    this.settings = settings;
    this.devices = devices;
    this.driver = driver;
  }

  /** The classes that there may be. */
  static List<String> classes() {
    return List.of("imex-channel", "gds", "gdrcopy", "mofed");
  }

  /** A specification for each class of which there are devices. */
  List<CdiSpec> all() {
    return Stream.of(
            imex(),
            whole("gds", nodes("/dev", "nvidia-fs.*"), storageMounts()),
            whole("gdrcopy", nodes("/dev", "gdrdrv"), List.of()),
            whole("mofed", nodes("/dev/infiniband", "uverbs.*|rdma_cm"), List.of()))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<CdiSpec> imex() {
    List<CdiDevice> channels =
        nodes("/dev/nvidia-caps-imex-channels", "channel[0-9]+").stream()
            .map(
                node ->
                    new CdiDevice(
                        node.path().substring(CHANNEL.length()), edits(List.of(node), List.of())))
            .toList();
    return channels.isEmpty()
        ? Optional.empty()
        : Optional.of(new CdiSpec(settings.kind("imex-channel"), channels, ContainerEdits.NONE));
  }

  private Optional<CdiSpec> whole(
      String deviceClass, List<DeviceNode> nodes, List<BindMount> mounts) {
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CdiSpec(
                settings.kind(deviceClass),
                List.of(new CdiDevice(WHOLE, edits(nodes, mounts))),
                ContainerEdits.NONE));
  }

  private List<DeviceNode> nodes(String folder, String name) {
    return devices.list(folder, Pattern.compile(name));
  }

  private List<BindMount> storageMounts() {
    return Stream.of("/run/udev", "/etc/cufile.json")
        .flatMap(
            path ->
                driver.resolve(path).stream()
                    .map(target -> BindMount.readOnly(settings.driver().hostPath(target), path)))
        .toList();
  }

  private static ContainerEdits edits(List<DeviceNode> nodes, List<BindMount> mounts) {
    return new ContainerEdits(List.of(), nodes, mounts, List.of());
  }
}
