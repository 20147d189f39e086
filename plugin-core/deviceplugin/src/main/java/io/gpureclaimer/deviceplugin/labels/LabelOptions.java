package io.gpureclaimer.deviceplugin.labels;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the labels.
 *
 * @param alwaysByModel whether the labels of each model are there on a node with one model too
 * @param timestamp what {@code nvidia.com/gfd.timestamp} says; null for no such label. It is the
 *     one label that changes with every start of the program
 */
public record LabelOptions(boolean alwaysByModel, @Nullable Instant timestamp) {
  /** The standard labels, and those of each model where there are several. */
  public static final LabelOptions STANDARD = new LabelOptions(false, null);
}
