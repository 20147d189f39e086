package io.gpureclaimer.core.config;

import io.gpureclaimer.core.allocation.AllocationRules;
import io.gpureclaimer.core.allocation.OfferSettings;
import java.nio.file.Path;

/**
 * Everything that the device plugin and the node labels can be told.
 *
 * @param offer under which names devices are offered
 * @param allocation how containers are given what they ask for
 * @param failOnInitError whether the program ends if the driver cannot be asked at its start
 * @param driver where the driver is
 * @param cdi what goes into CDI specifications
 * @param health which XIDs count
 * @param kubeletSocket where the kubelet is registered with; its folder is where resources listen
 * @param labels how the node is labeled
 */
public record PluginSettings(
    OfferSettings offer,
    AllocationRules allocation,
    boolean failOnInitError,
    DriverSettings driver,
    CdiSettings cdi,
    HealthSettings health,
    Path kubeletSocket,
    LabelSettings labels) {}
