package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.HostTree;
import io.gpureclaimer.deviceplugin.cdi.CdiSettings.Hooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/** A host's files in a folder: what a driver installs, and what a kernel shows. */
public final class FakeHost {
  public static final String VERSION = "550.107.02";
  public static final String LIBRARIES = "/usr/lib/x86_64-linux-gnu";
  public static final Hooks SEARCHED = new Hooks(null, HookName.OFF_UNLESS_ASKED_FOR);
  public static final Hooks OFF = new Hooks(null, EnumSet.allOf(HookName.class));

  private final Path root;

  public FakeHost(Path root) {
    this.root = root;
  }

  public Path root() {
    return root;
  }

  /** Everything that a driver for display and computation has, as Ubuntu has it. */
  public FakeHost withDriver() {
    library("libcuda", "libcuda.so.1", "libcuda.so");
    library("libnvidia-ml", "libnvidia-ml.so.1");
    library("libnvidia-ptxjitcompiler", "libnvidia-ptxjitcompiler.so.1");
    library("libnvidia-nvvm", "libnvidia-nvvm.so.4");
    library("libnvidia-gpucomp");
    library("libnvidia-opticalflow", "libnvidia-opticalflow.so.1");
    library("libnvidia-allocator", "libnvidia-allocator.so.1");
    library("libGLX_nvidia", "libGLX_nvidia.so.0");
    file(LIBRARIES + "/vdpau/libvdpau_nvidia.so." + VERSION);
    file(LIBRARIES + "/libnvidia-egl-gbm.so.1.1.1");
    link(LIBRARIES + "/libnvidia-egl-gbm.so.1", "libnvidia-egl-gbm.so.1.1.1");
    file(LIBRARIES + "/libssl.so.3");
    file(LIBRARIES + "/nvidia/xorg/nvidia_drv.so");
    file(LIBRARIES + "/nvidia/xorg/libglxserver_nvidia.so." + VERSION);
    file("/usr/share/glvnd/egl_vendor.d/10_nvidia.json");
    file("/usr/share/nvidia/nvoptix.bin");
    file("/usr/share/vulkan/icd.d/nvidia_icd.json");
    file("/etc/OpenCL/vendors/nvidia.icd");
    file("/usr/lib/firmware/nvidia/" + VERSION + "/gsp_ga10x.bin");
    link("/lib", "usr/lib");
    file("/usr/bin/nvidia-smi");
    file("/usr/bin/nvidia-cuda-mps-control");
    file("/run/nvidia-persistenced/socket");
    return this;
  }

  public FakeHost withHook() {
    return file("/usr/bin/nvidia-cdi-hook");
  }

  /** The device files that the driver makes, for so many GPUs. */
  public FakeHost withDevices(int gpus) {
    for (int i = 0; i < gpus; i++) {
      file("/dev/nvidia" + i);
    }
    file("/dev/nvidiactl");
    file("/dev/nvidia-uvm");
    file("/dev/nvidia-uvm-tools");
    return file("/dev/nvidia-modeset");
  }

  /** A card that draws, at that place. */
  public FakeHost withDrawing(String address, int number) {
    file("/sys/bus/pci/devices/" + address + "/drm/card" + number + "/dev");
    file("/sys/bus/pci/devices/" + address + "/drm/renderD" + (128 + number) + "/dev");
    file("/dev/dri/card" + number);
    file("/dev/dri/renderD" + (128 + number));
    link("/dev/dri/by-path/pci-" + address + "-card", "../card" + number);
    return link("/dev/dri/by-path/pci-" + address + "-render", "../renderD" + (128 + number));
  }

  public FakeHost library(String name, String... links) {
    String file = name + ".so." + VERSION;
    file(LIBRARIES + "/" + file);
    for (String link : links) {
      link(LIBRARIES + "/" + link, file);
    }
    return this;
  }

  public FakeHost file(String path) {
    return file(path, "of the host".getBytes(StandardCharsets.UTF_8));
  }

  public FakeHost file(String path, byte[] content) {
    try {
      Files.createDirectories(here(path).getParent());
      Files.write(here(path), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public FakeHost link(String path, String target) {
    try {
      Files.createDirectories(here(path).getParent());
      Files.createSymbolicLink(here(path), Path.of(target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public FakeHost without(String path) {
    try {
      Files.delete(here(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public Path here(String path) {
    return root.resolve(path.substring(1));
  }

  /** The whole host is seen, as its own root. */
  public CdiSettings settings(Hooks hooks) {
    return settings(hooks, "/");
  }

  /** What is seen is at that path of the host. */
  public CdiSettings settings(Hooks hooks, String onHost) {
    var tree = new HostTree(root, onHost);
    return new CdiSettings(
        "k8s.device-plugin.nvidia.com",
        tree,
        tree,
        here("/proc"),
        here("/sys"),
        hooks,
        List.of(LIBRARIES, "/usr/lib64"));
  }
}
