package io.gpureclaimer.deviceplugin.allocation;

import java.util.List;

/**
 * Resource names, MIG strategy and sharing of the devices of a node.
 *
 * @param mig what becomes of GPUs that MIG divides
 * @param gpuNames by model, for whole GPUs; the first that matches; without one {@code
 *     nvidia.com/gpu}
 * @param migNames by profile, for MIG devices; the first that matches; without one what the
 *     strategy says
 * @param sharing which of them are offered several times over
 */
public record ResourceSettings(
    MigStrategy mig, List<NamePattern> gpuNames, List<NamePattern> migNames, Sharing sharing) {
  /** As without any configuration. */
  public static final ResourceSettings PLAIN =
      new ResourceSettings(MigStrategy.NONE, List.of(), List.of(), Sharing.NONE);

  public ResourceSettings {
    gpuNames = List.copyOf(gpuNames);
    migNames = List.copyOf(migNames);
  }
}
