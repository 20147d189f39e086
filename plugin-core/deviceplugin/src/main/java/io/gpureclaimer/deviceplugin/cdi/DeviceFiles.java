package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.HostTree;
import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode.DeviceFileNumber;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Device files of the host, as far as they are visible here. */
final class DeviceFiles {
  /** The driver's own device number, the same on every Linux. Those of its modules are not. */
  private static final int NVIDIA = 195;

  private final HostTree tree;
  private final RootedFiles files;

  DeviceFiles(HostTree tree) {
    this.tree = tree;
    this.files = new RootedFiles(tree.here());
  }

  /** The driver's file of that number, also where it has not been made yet. */
  DeviceNode ofDriver(String path, int minor) {
    return node(path, files.file(path).isPresent() ? null : new DeviceFileNumber(NVIDIA, minor));
  }

  /** A file that is there only if the runtime finds it too. */
  DeviceNode node(String path) {
    return node(path, null);
  }

  /** The file, if we see it. */
  Optional<DeviceNode> ifPresent(String path) {
    return files.file(path).map(_ -> node(path));
  }

  /** Files of a folder, by name. */
  List<DeviceNode> list(String folder, Pattern name) {
    return files.list(folder, name).stream()
        .filter(path -> files.file(path).isPresent())
        .map(this::node)
        .toList();
  }

  /** Links of a folder, by name, with what they say. */
  List<DriverFiles.LibraryLink> links(String folder, Pattern name) {
    return files.list(folder, name).stream()
        .flatMap(
            path ->
                files.link(path).map(target -> new DriverFiles.LibraryLink(path, target)).stream())
        .toList();
  }

  private DeviceNode node(String path, @Nullable DeviceFileNumber number) {
    return new DeviceNode(path, tree.isAll() ? null : tree.hostPath(path), number);
  }
}
