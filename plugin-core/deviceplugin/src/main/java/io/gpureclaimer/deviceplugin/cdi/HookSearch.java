package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.RootedFiles;
import java.util.List;
import java.util.Optional;

/** Finds NVIDIA's hook program on the host. */
final class HookSearch {
  private static final List<String> USUAL =
      List.of(
          "/usr/bin/nvidia-cdi-hook",
          "/usr/local/bin/nvidia-cdi-hook",
          "/usr/local/nvidia/toolkit/nvidia-cdi-hook",
          "/usr/bin/nvidia-ctk",
          "/usr/local/bin/nvidia-ctk",
          "/usr/local/nvidia/toolkit/nvidia-ctk");

  private final CdiSettings.Hooks settings;
  private final boolean seesHost;
  private final RootedFiles host;

  HookSearch(CdiSettings settings) {
    this.settings = settings.hooks();
    this.seesHost = settings.driver().isAll();
    this.host = new RootedFiles(settings.driver().here());
  }

  /**
   * The program that specifications name; empty if there is none, or it is not wanted. One that was
   * named is believed where the host's files cannot be seen; a container whose hook is missing
   * would not start.
   */
  Optional<HookProgram> find(List<String> problems) {
    if (settings.areOff()) {
      return Optional.empty();
    }
    var named = settings.program();
    if (named != null && seesHost && !isThere(named)) {
      problems.add(
          "the hook program "
              + named
              + " is not on the host, so containers get the smallest set of driver files; install"
              + " the NVIDIA container toolkit, or name where it is");
      return Optional.empty();
    }
    Optional<String> path =
        named != null
            ? Optional.of(named)
            : USUAL.stream().filter(at -> seesHost && isThere(at)).findFirst();
    return path.map(at -> new HookProgram(at, settings.disabled()));
  }

  private boolean isThere(String path) {
    return host.file(path).isPresent();
  }
}
