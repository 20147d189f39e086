package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.deviceplugin.allocation.Allocation.DeviceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The device files of a response. */
final class AllocatedDeviceFiles {
  private static final List<Path> OF_EVERY_GPU =
      List.of(
          Path.of("/dev/nvidiactl"),
          Path.of("/dev/nvidia-uvm"),
          Path.of("/dev/nvidia-uvm-tools"),
          Path.of("/dev/nvidia-modeset"));
  private static final String READ_AND_WRITE = "rw";

  private final ResponseSettings settings;
  private final NodeEnvironment there;

  AllocatedDeviceFiles(ResponseSettings settings, NodeEnvironment there) {
    this.settings = settings;
    this.there = there;
  }

  /** The channels that are not there. */
  Stream<Path> absentChannels() {
    return settings.imexChannels().stream()
        .map(AllocatedDeviceFiles::channelFile)
        .filter(there.deviceFiles().negate());
  }

  /** The channels that are there. */
  List<Integer> channels() {
    return settings.imexChannels().stream()
        .filter(channel -> there.deviceFiles().test(channelFile(channel)))
        .toList();
  }

  List<DeviceFile> of(List<AllocatedDevice> held) {
    Set<Path> paths = new LinkedHashSet<>();
    OF_EVERY_GPU.stream().filter(there.deviceFiles()).forEach(paths::add);
    held.forEach(each -> paths.addAll(each.device().files()));
    channels().forEach(channel -> paths.add(channelFile(channel)));
    var files = new ArrayList<DeviceFile>();
    for (Path path : paths) {
      Path onNode = settings.devRoot().resolve(path.getRoot().relativize(path));
      files.add(new DeviceFile(onNode.toString(), path.toString(), READ_AND_WRITE));
    }
    return files;
  }

  private static Path channelFile(int channel) {
    return Path.of("/dev/nvidia-caps-imex-channels/channel" + channel);
  }
}
