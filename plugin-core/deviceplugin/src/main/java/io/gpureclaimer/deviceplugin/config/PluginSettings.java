package io.gpureclaimer.deviceplugin.config;

import io.gpureclaimer.deviceplugin.allocation.AllocationRules;
import io.gpureclaimer.deviceplugin.allocation.OfferSettings;
import io.gpureclaimer.deviceplugin.cdi.CdiSettings;
import java.nio.file.Path;

/**
 * Everything that the device plugin and the node labels can be told.
 *
 * @param offer under which names devices are offered
 * @param allocation how containers are given what they ask for
 * @param driver where the driver is
 * @param hooks what CDI specifications have NVIDIA's hook program do
 * @param kubeletSocket where the kubelet is registered with; its folder is where resources listen
 * @param labels how the node is labeled
 */
public record PluginSettings(
    OfferSettings offer,
    AllocationRules allocation,
    DriverSettings driver,
    CdiSettings.Hooks hooks,
    Path kubeletSocket,
    LabelSettings labels) {}
