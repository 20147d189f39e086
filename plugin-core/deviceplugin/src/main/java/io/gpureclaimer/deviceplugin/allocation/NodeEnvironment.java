package io.gpureclaimer.deviceplugin.allocation;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What exists on the node in addition to devices.
 *
 * @param deviceFiles whether there is such a device file, named as a container sees it: {@code
 *     /dev/nvidiactl}
 * @param cdiDevices the qualified names that container runtimes can resolve, such as {@code
 *     vendor/gds=all}
 * @param mpsDown why no container can get a share of a resource through MPS; empty if its daemon is
 *     up
 * @param heldOtherwise UUIDs of devices that are allocated under a name or id that is no longer
 *     offered
 * @param unaccounted UUIDs of devices that are offered otherwise than before, and whose holders the
 *     kubelet has not reported since
 */
public record NodeEnvironment(
    Predicate<Path> deviceFiles,
    Set<String> cdiDevices,
    Function<ResourceName, Optional<String>> mpsDown,
    Set<String> heldOtherwise,
    Set<String> unaccounted) {
  public NodeEnvironment {
    cdiDevices = Set.copyOf(cdiDevices);
    heldOtherwise = Set.copyOf(heldOtherwise);
    unaccounted = Set.copyOf(unaccounted);
  }
}
