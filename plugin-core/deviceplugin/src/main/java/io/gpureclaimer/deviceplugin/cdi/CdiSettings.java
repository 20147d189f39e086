package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.HostTree;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of CDI specifications.
 *
 * @param vendor of all of them, such as {@code k8s.device-plugin.nvidia.com}
 * @param driver the root of the driver's files
 * @param devices the root below which the device files are, {@code /dev} and all
 * @param proc where we see the kernel's {@code /proc}
 * @param sys where we see the kernel's {@code /sys}
 * @param hooks what is done by NVIDIA's hook program
 * @param libraryFolders where a container has the libraries if there is no such program
 */
public record CdiSettings(
    String vendor,
    HostTree driver,
    HostTree devices,
    Path proc,
    Path sys,
    Hooks hooks,
    List<String> libraryFolders) {
  public CdiSettings {
    libraryFolders = List.copyOf(libraryFolders);
    if (libraryFolders.isEmpty() || !libraryFolders.stream().allMatch(at -> at.startsWith("/"))) {
      throw new IllegalArgumentException(
          "the folders for libraries in a container must be absolute paths, at least one, were "
              + libraryFolders);
    }
    var _ = new CdiKind(vendor, "gpu");
  }

  /**
   * Hooks of NVIDIA's hook program in specifications.
   *
   * @param program its path on the host; null to look for it
   * @param disabled what it is not asked to do; with all of them it is not used
   */
  public record Hooks(@Nullable String program, Set<HookName> disabled) {
    public Hooks {
      disabled = Set.copyOf(disabled);
      if (program != null && !program.startsWith("/")) {
        throw new IllegalArgumentException(
            "the hook program must be an absolute path on the host, was \"" + program + '"');
      }
    }

    boolean areOff() {
      return disabled.size() == HookName.values().length;
    }
  }

  /** The specification's kind for a class of devices. */
  CdiKind kind(String deviceClass) {
    return new CdiKind(vendor, deviceClass);
  }
}
