package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.deviceplugin.allocation.AllocationRules;
import io.gpureclaimer.deviceplugin.allocation.ResourceSettings;
import io.gpureclaimer.deviceplugin.cdi.CdiSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the device plugin and of the node labels.
 *
 * @param offer under which names devices are offered
 * @param allocation how containers are given what they ask for
 * @param driver where the driver is
 * @param hooks what CDI specifications have NVIDIA's hook program do
 * @param kubeletSocket socket of the kubelet; its folder is where resources listen
 * @param labels how the node is labeled
 */
public record PluginSettings(
    ResourceSettings offer,
    AllocationRules allocation,
    DriverSettings driver,
    CdiSettings.Hooks hooks,
    Path kubeletSocket,
    LabelSettings labels) {

  /**
   * Where the driver is.
   *
   * @param root folder of the node below which the driver is installed
   * @param rootInContainer where the plugin itself sees that folder
   * @param devRoot folder of the node below which its {@code /dev} is
   */
  public record DriverSettings(Path root, Path rootInContainer, Path devRoot) {}

  /**
   * How the node is labeled.
   *
   * @param timestamp whether one of the labels has the time when they were made
   * @param outputFile where Node Feature Discovery looks; null for the standard output
   * @param machineTypeFile file with the kind of machine
   */
  public record LabelSettings(boolean timestamp, @Nullable Path outputFile, Path machineTypeFile) {}
}
