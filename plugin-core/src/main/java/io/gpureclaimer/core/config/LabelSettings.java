package io.gpureclaimer.core.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the node is labeled.
 *
 * @param once whether labels are written once, and never again
 * @param timestamp whether one of the labels tells when they were made
 * @param interval after which the node is looked at again; null for never
 * @param outputFile where Node Feature Discovery looks; null for the standard output
 * @param machineTypeFile what tells the kind of machine
 * @param nodeFeatureApi whether a NodeFeature object is written rather than the file
 */
public record LabelSettings(
    boolean once,
    boolean timestamp,
    @Nullable Duration interval,
    @Nullable Path outputFile,
    Path machineTypeFile,
    boolean nodeFeatureApi) {}
