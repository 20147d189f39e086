package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.files.HostTree;
import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.deviceplugin.config.PluginSettings.DriverSettings;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folder of the node's device files, and its mount point. */
final class NodeDevices {
  private static final Path OWN_ROOT = Path.of("/");

  private NodeDevices() {}

  /**
   * As NVIDIA's device plugin looks for them: below the driver's root as it is mounted here, if
   * there is a {@code dev} in it; otherwise below our own root.
   */
  static HostTree of(DriverSettings driver) {
    Path mounted = driver.rootInContainer();
    return new HostTree(
        Files.isDirectory(mounted.resolve("dev")) ? mounted : OWN_ROOT,
        driver.devRoot().toString());
  }

  /** Whether there is such a file, named as a container sees it: {@code /dev/nvidiactl}. */
  static boolean has(DriverSettings driver, Path file) {
    return new RootedFiles(of(driver).here()).file(file.toString()).isPresent();
  }
}
