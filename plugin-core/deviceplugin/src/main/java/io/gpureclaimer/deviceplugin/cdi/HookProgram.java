package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.CdiHook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * NVIDIA's program that runtimes run while they make a container.
 *
 * @param path on the host; {@code nvidia-cdi-hook}, or {@code nvidia-ctk} whose sub-command it is
 * @param disabled what it is not asked to do
 */
record HookProgram(String path, Set<HookName> disabled) {
  private static final List<String> ENV = List.of("NVIDIA_CTK_DEBUG=false");

  HookProgram {
    disabled = Set.copyOf(disabled);
  }

  /** Does it once for all values; empty if it is disabled. */
  Optional<CdiHook> run(HookName hook, List<String> values) {
    if (disabled.contains(hook)) {
      return Optional.empty();
    }
    String program = path.substring(path.lastIndexOf('/') + 1);
    var args = new ArrayList<String>(List.of(program));
    if (program.equals("nvidia-ctk")) {
      args.add("hook");
    }
    args.add(hook.toString());
    args.addAll(hook.arguments(values));
    return Optional.of(new CdiHook(path, args, ENV));
  }

  /** Makes links, each to what it says; empty if there is none to be made. */
  Optional<CdiHook> link(List<DriverFiles.LibraryLink> links) {
    return links.isEmpty()
        ? Optional.empty()
        : run(
            HookName.CREATE_SYMLINKS,
            links.stream().map(link -> link.target() + "::" + link.path()).toList());
  }
}
