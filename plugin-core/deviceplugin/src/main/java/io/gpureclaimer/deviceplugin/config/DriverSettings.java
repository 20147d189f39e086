package io.gpureclaimer.deviceplugin.config;

import java.nio.file.Path;

/**
 * Where the driver is.
 *
 * @param root the folder of the node below which it is installed
 * @param rootInContainer where the plugin itself sees that folder
 * @param devRoot the folder of the node below which its {@code /dev} is
 */
public record DriverSettings(Path root, Path rootInContainer, Path devRoot) {}
