package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.labels.MachineFacts.VgpuHost;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads facts about the machine from the kernel's files. */
public final class MachineSurvey {
  private static final String PCI_DEVICES = "sys/bus/pci/devices";
  private static final String NVIDIA = "0x10de";
  private static final String DISPLAY_CLASSES = "0x03";

  private final Path root;

  /**
   * @param root what stands for {@code /}; another folder where the host's files are mounted
   */
  public MachineSurvey(Path root) {
    this.root = root;
  }

  /**
   * What can be read now. A file that cannot be read is an unknown fact.
   *
   * @param machineType the file that names the machine's model, such as {@code
   *     /sys/class/dmi/id/product_name}
   */
  public MachineFacts read(Path machineType) {
    List<String> classes = new ArrayList<>();
    Optional<VgpuHost> vgpu = Optional.empty();
    for (Path gpu : gpus()) {
      text(gpu.resolve("class")).ifPresent(classes::add);
      vgpu = vgpu.or(() -> config(gpu).flatMap(PciConfigSpace::vgpuHost));
    }
    return new MachineFacts(
        text(root.resolve(machineType.toString().substring(1))).orElse(null),
        classes,
        vgpu.orElse(null));
  }

  private List<Path> gpus() {
    List<Path> gpus = new ArrayList<>();
    try (DirectoryStream<Path> devices = Files.newDirectoryStream(root.resolve(PCI_DEVICES))) {
      devices.forEach(gpus::add);
    } catch (IOException _) {
      return List.of();
    }
    gpus.removeIf(device -> !isGpu(device));
    Collections.sort(gpus);
    return gpus;
  }

  private static boolean isGpu(Path device) {
    return Objects.equals(text(device.resolve("vendor")).orElse(null), NVIDIA)
        && text(device.resolve("class")).filter(it -> it.startsWith(DISPLAY_CLASSES)).isPresent();
  }

  /** Without privileges the kernel shows the first 64 bytes only, which say nothing of this. */
  private static Optional<PciConfigSpace> config(Path device) {
    try {
      byte[] bytes = Files.readAllBytes(device.resolve("config"));
      return bytes.length < PciConfigSpace.BYTES
          ? Optional.empty()
          : Optional.of(new PciConfigSpace(bytes));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
