package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** DRM device files of a GPU. */
final class DrmFiles {
  private static final String FOLDER = "/dev/dri";
  private static final Pattern NODE = Pattern.compile("(card|renderD)[0-9]+");
  private static final Pattern BY_PATH = Pattern.compile("pci-.*");

  private final RootedFiles sys;
  private final DeviceFiles devices;

  /**
   * @param sys where {@code /sys} is
   * @param devices where device files are
   */
  DrmFiles(Path sys, DeviceFiles devices) {
    this.sys = new RootedFiles(sys);
    this.devices = devices;
  }

  /** Those that there are; none for a GPU that does not draw. */
  List<DeviceNode> of(String pciBusId) {
    return sys.list("/bus/pci/devices/" + address(pciBusId) + "/drm", NODE).stream()
        .map(path -> FOLDER + path.substring(path.lastIndexOf('/')))
        .flatMap(path -> devices.ifPresent(path).stream())
        .toList();
  }

  /** The links to them by the place of the GPU, as the host has them. */
  List<DriverFiles.LibraryLink> links(List<DeviceNode> nodes) {
    Set<String> targets =
        nodes.stream()
            .map(node -> ".." + node.path().substring(FOLDER.length()))
            .collect(Collectors.toSet());
    return devices.links(FOLDER + "/by-path", BY_PATH).stream()
        .filter(link -> targets.contains(link.target()))
        .toList();
  }

  /** The kernel writes domains with four digits where these are enough. */
  private static String address(String pciBusId) {
    String lower = pciBusId.toLowerCase(Locale.ROOT);
    return lower.startsWith("0000") ? lower.substring(4) : lower;
  }
}
