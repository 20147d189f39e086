package io.gpureclaimer.deviceplugin.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the node is labeled.
 *
 * @param timestamp whether one of the labels tells when they were made
 * @param outputFile where Node Feature Discovery looks; null for the standard output
 * @param machineTypeFile what tells the kind of machine
 */
public record LabelSettings(boolean timestamp, @Nullable Path outputFile, Path machineTypeFile) {}
