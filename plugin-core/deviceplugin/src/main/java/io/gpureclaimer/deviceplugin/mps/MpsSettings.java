package io.gpureclaimer.deviceplugin.mps;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Path and timeouts of MPS.
 *
 * @param program NVIDIA's control program: its path, or its name if it is on the path
 * @param root of the folders of all daemons, as we see it; {@code shm} in it is what containers get
 *     as {@code /dev/shm}
 * @param ownShm the daemons' own {@code /dev/shm}
 * @param deadline of one run of the program
 */
public record MpsSettings(String program, Path root, Path ownShm, Duration deadline) {
  public MpsSettings {
    if (!deadline.isPositive()) {
      throw new IllegalArgumentException(
          "the deadline of the MPS control program must be positive, was " + deadline);
    }
  }
}
