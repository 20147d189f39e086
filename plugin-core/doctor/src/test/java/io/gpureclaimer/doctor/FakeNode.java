package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import io.gpureclaimer.doctor.DriverAnswer.Silent;
import io.gpureclaimer.nvml.NvmlReturn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A node's files in a folder, and what its driver says. */
final class FakeNode implements AutoCloseable {
  static final String VERSION =
      """
      NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024
      GCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04)
      """;

  private final Path root;
  private final List<ServerSocketChannel> listening = new ArrayList<>();
  private DriverAnswer driver =
      new Silent(NvmlReturn.LIBRARY_NOT_FOUND, "the driver's library could not be loaded");

  FakeNode(Path root) {
    this.root = root;
    folder("/sys/bus/pci/devices");
    file("/proc/modules", "ext4 1 0 - Live 0x0\n");
  }

  /** A node where all is well: two H100 with everything around them. */
  static FakeNode healthy(Path root) {
    FakeNode node = new FakeNode(root).gpu("0000:19:00.0", 0).gpu("0000:3b:00.0", 1);
    node.file("/proc/modules", "nvidia_uvm 1 0 - Live 0x0\nnvidia 2 1 - Live 0x0\n");
    node.file("/proc/driver/nvidia/version", VERSION);
    node.file("/dev/nvidiactl", "").file("/dev/nvidia-uvm", "").file("/dev/char/195:255", "");
    node.file(
        "/etc/containerd/config.toml",
        """
        version = 2
        [plugins."io.containerd.grpc.v1.cri"]
          enable_cdi = true
          cdi_spec_dirs = ["/etc/cdi", "/var/run/cdi"]
        """);
    node.listen("/var/lib/kubelet/device-plugins/kubelet.sock");
    node.listen("/var/lib/kubelet/pod-resources/kubelet.sock");
    return node.reporting(
        reportedGpu(0, "0000:19:00.0", 0L, true), reportedGpu(1, "0000:3b:00.0", 0L, true));
  }

  static ReportedGpu reportedGpu(int index, String bus, long computeMode, boolean persistent) {
    return new ReportedGpu(index, bus, computeMode, persistent, 3L, null);
  }

  FakeNode reporting(ReportedGpu... gpus) {
    driver = new Reported("550.54.15", "550.54.15", List.of(gpus));
    return this;
  }

  FakeNode answers(DriverAnswer answer) {
    driver = answer;
    return this;
  }

  /** A GPU on the bus, with its device file. */
  FakeNode gpu(String address, int minor) {
    device(address, "0x10de", "0x030200");
    file(
        "/proc/driver/nvidia/gpus/" + address + "/information",
        "Model: \t\t NVIDIA H100\nDevice Minor: \t " + minor + "\n");
    return file("/dev/nvidia" + minor, "");
  }

  FakeNode device(String address, String vendor, String deviceClass) {
    file("/sys/bus/pci/devices/" + address + "/vendor", vendor + "\n");
    return file("/sys/bus/pci/devices/" + address + "/class", deviceClass + "\n");
  }

  FakeNode file(String path, String text) {
    try {
      Path file = within(path);
      Files.createDirectories(file.resolve("..").normalize());
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FakeNode folder(String path) {
    try {
      Files.createDirectories(within(path));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FakeNode link(String path, String target) {
    try {
      Path link = within(path);
      Files.createDirectories(link.resolve("..").normalize());
      Files.createSymbolicLink(link, Path.of(target));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FakeNode without(String path) {
    try {
      Files.delete(within(path));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A socket with a listener. */
  FakeNode listen(String path) {
    try {
      Path socket = within(path);
      Files.createDirectories(socket.resolve("..").normalize());
      var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      channel.bind(UnixDomainSocketAddress.of(socket));
      listening.add(channel);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A socket that its owner has left. */
  FakeNode abandon(String path) {
    listen(path);
    try {
      listening.removeLast().close();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ExaminedNode run() {
    return ExaminedNode.of(new NodeFiles(root), driver);
  }

  /** Seen by a program in a container that has these files and no others. */
  ExaminedNode lookFromContainer() {
    return ExaminedNode.of(NodeFiles.ofContainer(root), driver);
  }

  Diagnosis examine() {
    return new Doctor(new NodeFiles(root), () -> driver).examine();
  }

  @Override
  public void close() {
    for (ServerSocketChannel channel : listening) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Path within(String path) {
    return root.resolve(path.substring(1));
  }
}
