package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.HostTree;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.Found;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.Library;
import io.gpureclaimer.deviceplugin.cdi.driver.LibraryLinks;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.BindMount;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.CdiHook;
import io.gpureclaimer.deviceplugin.cdi.spec.ContainerEdits.DeviceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Container edits for every GPU container: the driver's files and its shared device files. */
final class CommonEdits {
  /** Keeps NVIDIA's own runtime from giving the container devices once more. */
  private static final String VOID = "NVIDIA_VISIBLE_DEVICES=void";

  private static final int CONTROL = 255;

  private static final List<LoadedLibrary> LEAST =
      List.of(
          new LoadedLibrary("libcuda.so", List.of("libcuda.so.1", "libcuda.so")),
          new LoadedLibrary("libnvidia-ml.so", List.of("libnvidia-ml.so.1")),
          new LoadedLibrary("libnvidia-nvvm.so", List.of("libnvidia-nvvm.so.4")),
          new LoadedLibrary(
              "libnvidia-ptxjitcompiler.so", List.of("libnvidia-ptxjitcompiler.so.1")));

  private static final String WITH_VERSION_IN_NAME = "libnvidia-gpucomp.so";

  private final HostTree driver;
  private final DeviceFiles devices;
  private final List<String> libraryFolders;

  /** A library of the smallest form, and what the loader looks for. */
  private record LoadedLibrary(String name, List<String> loadedAs) {}

  CommonEdits(HostTree driver, DeviceFiles devices, List<String> libraryFolders) {
    this.driver = driver;
    this.devices = devices;
    this.libraryFolders = List.copyOf(libraryFolders);
  }

  /** With the hook program, all of the driver; without it, the least that CUDA needs. */
  ContainerEdits of(DriverFiles files, @Nullable HookProgram program, List<String> problems) {
    return program == null
        ? new ContainerEdits(List.of(VOID), nodes(problems), least(files), List.of())
        : new ContainerEdits(
            List.of(VOID, "NVIDIA_CTK_LIBCUDA_DIR=" + String.join(":", files.folders())),
            nodes(problems),
            all(files),
            hooks(files, program));
  }

  private List<DeviceNode> nodes(List<String> problems) {
    var nodes = new ArrayList<DeviceNode>(List.of(devices.ofDriver("/dev/nvidiactl", CONTROL)));
    Optional<DeviceNode> memory = devices.ifPresent("/dev/nvidia-uvm");
    if (memory.isEmpty()) {
      problems.add(
          "/dev/nvidia-uvm is not there, so no CUDA program will start in a container: load the"
              + " kernel module nvidia-uvm (nvidia-modprobe -u -c=0)");
    }
    memory.ifPresent(nodes::add);
    Stream.of("/dev/nvidia-uvm-tools", "/dev/nvidia-modeset")
        .forEach(path -> devices.ifPresent(path).ifPresent(nodes::add));
    return nodes;
  }

  private List<BindMount> all(DriverFiles files) {
    return Stream.of(
            files.libraries().stream().map(Library::file).map(this::readOnly),
            files.others().stream().map(this::readOnly),
            files.sockets().stream()
                .map(found -> BindMount.socket(driver.hostPath(found.target()), found.path())))
        .flatMap(mounts -> mounts)
        .toList();
  }

  private BindMount readOnly(Found found) {
    return BindMount.readOnly(driver.hostPath(found.target()), found.path());
  }

  private static List<CdiHook> hooks(DriverFiles files, HookProgram program) {
    return Stream.of(
            program.link(LibraryLinks.of(files)),
            program.run(HookName.ENABLE_CUDA_COMPAT, List.of(files.version())),
            program.run(HookName.UPDATE_LDCACHE, files.folders()),
            program.run(HookName.DISABLE_DEVICE_NODE_MODIFICATION, List.of()),
            program.run(HookName.UPDATE_APPLICATION_PROFILE, List.of()))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Each library under the name that it is loaded by, so that no links are needed. */
  private List<BindMount> least(DriverFiles files) {
    var mounts = new ArrayList<BindMount>();
    for (LoadedLibrary library : LEAST) {
      files
          .named(library.name())
          .findFirst()
          .ifPresent(found -> mountAs(library.loadedAs(), found, mounts));
    }
    files
        .named(WITH_VERSION_IN_NAME)
        .findFirst()
        .ifPresent(found -> mountAs(List.of(found.name()), found, mounts));
    files.others().stream()
        .filter(found -> found.path().endsWith("/nvidia-smi"))
        .map(found -> BindMount.readOnly(driver.hostPath(found.target()), "/usr/bin/nvidia-smi"))
        .forEach(mounts::add);
    return mounts;
  }

  private void mountAs(List<String> names, Library library, List<BindMount> into) {
    for (String folder : libraryFolders) {
      for (String name : names) {
        into.add(BindMount.readOnly(driver.hostPath(library.file().target()), folder + "/" + name));
      }
    }
  }
}
