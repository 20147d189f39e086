package io.gpureclaimer.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import io.gpureclaimer.doctor.DriverAnswer.Silent;
import io.gpureclaimer.doctor.Outcome.NotApplicable;
import io.gpureclaimer.doctor.Outcome.Ok;
import io.gpureclaimer.doctor.Outcome.OutcomeKind;
import io.gpureclaimer.doctor.Outcome.Undecided;
import io.gpureclaimer.nvml.NvmlReturn;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DriverChecksTest {
  @TempDir Path root;

  @Test
  void namesTheGpuThatTheDriverLacks() {
    try (var node =
        FakeNode.healthy(root).reporting(FakeNode.reportedGpu(0, "0000:19:00.0", 0, true))) {
      assertThat(found(new PciGpus(), node))
          .isEqualTo("PROBLEM: 2 GPUs on the PCI bus, and the driver has 1; it lacks 0000:3b:00.0");
    }
  }

  @Test
  void namesTheGpuThatDoesNotAnswer() {
    try (var node =
        FakeNode.healthy(root)
            .reporting(
                FakeNode.reportedGpu(0, "0000:19:00.0", 0, true),
                new ReportedGpu(
                    1, null, null, null, null, "GPU has fallen off the bus (code 15)"))) {
      assertThat(found(new PciGpus(), node))
          .isEqualTo("PROBLEM: the driver cannot ask GPU 1: GPU has fallen off the bus (code 15)");
    }
  }

  @Test
  void namesTheGpuThatDoesNotAnswer_whereGpusAreNotOnTheBus() {
    try (var node =
        new FakeNode(root)
            .reporting(
                FakeNode.reportedGpu(0, "0000:01:00.0", 0, true),
                new ReportedGpu(1, null, null, null, null, "GPU requires a reset (code 16)"))) {
      assertThat(found(new PciGpus(), node))
          .isEqualTo("PROBLEM: the driver cannot ask GPU 1: GPU requires a reset (code 16)");
    }
  }

  @Test
  void countsNoGpuThatIsKeptForVirtualMachines() {
    try (var node =
        new FakeNode(root)
            .gpu("0000:19:00.0", 0)
            .link("/sys/bus/pci/devices/0000:19:00.0/driver", "../../drivers/vfio-pci")) {
      assertThat(new PciGpus().run(node.run()))
          .isEqualTo(
              new NotApplicable("1 GPU on the PCI bus, kept for virtual machines (vfio-pci)"));
    }
  }

  @Test
  void takesTheDriversWord_whereGpusAreNotOnTheBus() {
    try (var node =
        new FakeNode(root).reporting(FakeNode.reportedGpu(0, "0000:01:00.0", 0, true))) {
      assertThat(new PciGpus().run(node.run()))
          .isEqualTo(new Ok("the driver has 1 GPU, none of them on the PCI bus"));
      assertThat(new KernelModule().run(node.run()))
          .isEqualTo(new Ok("not listed, and the driver answers"));
    }
  }

  @Test
  void reportsThatNouveauHasTheGpus() {
    try (var node =
        new FakeNode(root)
            .gpu("0000:19:00.0", 0)
            .file("/proc/modules", "nouveau 1 0 - Live 0x0\n")) {
      assertThat(found(new KernelModule(), node))
          .isEqualTo("PROBLEM: nouveau is loaded, and nvidia is not: nouveau has the GPUs");
    }
  }

  @Test
  void reportsThatTheModuleIsNotLoaded() {
    try (var node = new FakeNode(root).gpu("0000:19:00.0", 0)) {
      assertThat(found(new KernelModule(), node))
          .isEqualTo("PROBLEM: there are GPUs, and the module nvidia is not loaded");
    }
  }

  @Test
  void reportsThatCudaLacksItsModule() {
    try (var node = FakeNode.healthy(root).file("/proc/modules", "nvidia 2 1 - Live 0x0\n")) {
      assertThat(found(new KernelModule(), node))
          .isEqualTo(
              "WARNING: nvidia 550.54.15 is loaded, and nvidia_uvm is not: CUDA does not work"
                  + " without");
    }
  }

  @Test
  void readsTheVersionOfTheOpenModuleToo() {
    try (var node =
        FakeNode.healthy(root)
            .file(
                "/proc/driver/nvidia/version",
                "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release\n")) {
      assertThat(new KernelModule().run(node.run()))
          .isEqualTo(new Ok("nvidia 580.65.06 is loaded"));
    }
  }

  @Test
  void comparesTheVersionsOfLibraryAndModule() {
    try (var node =
        FakeNode.healthy(root).answers(new Reported("550.54.15", "550.90.07", List.of()))) {
      assertThat(found(new DriverLibrary(), node))
          .isEqualTo(
              "WARNING: libnvidia-ml.so.1 is of 550.90.07, the kernel's module of 550.54.15");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = NvmlReturn.class,
      names = {
        "LIBRARY_NOT_FOUND",
        "LIB_RM_VERSION_MISMATCH",
        "DRIVER_NOT_LOADED",
        "NO_PERMISSION",
        "OPERATING_SYSTEM",
        "UNKNOWN"
      })
  void hasAdviceForEachSilence(NvmlReturn reason) {
    try (var node = FakeNode.healthy(root).answers(new Silent(reason, "nvmlInit_v2"))) {
      assertThat(new DriverLibrary().run(node.run()).kind()).isEqualTo(OutcomeKind.PROBLEM);
    }
  }

  @Test
  void namesTheDeviceFilesThatAreMissing() {
    try (var node = FakeNode.healthy(root).without("/dev/nvidia-uvm").without("/dev/nvidia1")) {
      assertThat(found(new DeviceFileCheck(), node))
          .isEqualTo("PROBLEM: missing: /dev/nvidia-uvm, /dev/nvidia1");
    }
  }

  @Test
  void readsTheDeviceRulesOfAnOldCgroup() {
    try (var node = FakeNode.healthy(root).answers(new Silent(NvmlReturn.UNKNOWN, "nvmlInit_v2"))) {
      assertThat(new DevicePermissions().run(node.run()).kind()).isEqualTo(OutcomeKind.UNDECIDED);

      node.file("/proc/self/cgroup", "5:cpu:/x\n4:devices:/kubepods/pod1\n");
      node.file("/sys/fs/cgroup/devices/kubepods/pod1/devices.list", "c 1:3 rwm\nc 1:5 rwm\n");
      assertThat(found(new DevicePermissions(), node))
          .isEqualTo("PROBLEM: the cgroup's device rules do not have NVIDIA's devices (195)");

      node.file("/sys/fs/cgroup/devices/kubepods/pod1/devices.list", "c 1:3 rwm\nc 195:* rw\n");
      assertThat(new DevicePermissions().run(node.run()).kind()).isEqualTo(OutcomeKind.OK);
    }
  }

  @Test
  void warnsOfContainersThatLoseTheirGpus() {
    try (var node = FakeNode.healthy(root).without("/dev/char/195:255")) {
      assertThat(new DevicePermissions().run(node.run()).kind()).isEqualTo(OutcomeKind.WARNING);
    }
  }

  @Test
  void findsGpusThatMpsLeftForOneProcess() {
    try (var node =
        FakeNode.healthy(root)
            .reporting(
                FakeNode.reportedGpu(0, "0000:19:00.0", 3, true),
                FakeNode.reportedGpu(1, "0000:3b:00.0", 0, true))) {
      assertThat(found(new MpsLeftovers(), node))
          .startsWith("WARNING: GPU 0 may be used by one process at a time");

      node.file("/proc/77/comm", "nvidia-cuda-mps\n");
      assertThat(new MpsLeftovers().run(node.run())).isEqualTo(new Ok("an MPS daemon runs"));
    }
  }

  @Test
  void findsGpusThatNoProcessMayUse() {
    try (var node =
        FakeNode.healthy(root).reporting(FakeNode.reportedGpu(0, "0000:19:00.0", 2, true))) {
      assertThat(found(new MpsLeftovers(), node))
          .isEqualTo("PROBLEM: GPU 0 refuse every process (compute mode PROHIBITED)");
    }
  }

  @Test
  void reportsGpusThatAreOutsideTheFabric() {
    try (var node =
        FakeNode.healthy(root).reporting(new ReportedGpu(0, "0000:19:00.0", 0L, true, 2L, null))) {
      assertThat(found(new FabricManager(), node))
          .isEqualTo(
              "PROBLEM: GPU 0 did not join the NVLink fabric: CUDA fails there with \"system not"
                  + " yet initialized\"");
    }
  }

  @Test
  void looksForAFabricManager_whereGpusDoNotReport() {
    try (var node =
        FakeNode.healthy(root)
            .device("0000:c1:00.0", "0x10de", "0x068000")
            .reporting(new ReportedGpu(0, "0000:19:00.0", 0L, true, null, null))) {
      assertThat(new FabricManager().run(node.run()).kind()).isEqualTo(OutcomeKind.WARNING);

      node.file("/proc/9/comm", "nv-fabricmanage\n");
      assertThat(new FabricManager().run(node.run()))
          .isEqualTo(new Ok("1 NVSwitch device, and a fabric manager runs"));
    }
  }

  @Test
  void wantsPersistence() {
    try (var node =
        FakeNode.healthy(root)
            .reporting(
                FakeNode.reportedGpu(0, "0000:19:00.0", 0, false),
                FakeNode.reportedGpu(1, "0000:3b:00.0", 0, false))) {
      assertThat(found(new PersistenceMode(), node)).startsWith("WARNING: off on GPUs 0, 1:");
    }
  }

  @Test
  void reportsNothing_whereTheDriverDoesNot() {
    try (var node =
        FakeNode.healthy(root)
            .reporting(new ReportedGpu(0, "0000:19:00.0", null, null, null, null))) {
      assertThat(new PersistenceMode().run(node.run()))
          .isEqualTo(new Undecided("the driver does not report it"));
      assertThat(new MpsLeftovers().run(node.run()))
          .isEqualTo(new Undecided("the driver does not report the compute mode"));
    }
  }

  private static String found(Check check, FakeNode node) {
    Outcome outcome = check.run(node.run());
    return outcome.kind() + ": " + outcome.text();
  }
}
