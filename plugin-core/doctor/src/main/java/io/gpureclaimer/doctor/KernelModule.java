package io.gpureclaimer.doctor;

/** NVIDIA's kernel modules, and the one that takes their place. */
final class KernelModule implements Check {
  private static final String UVM = "nvidia_uvm";

  @Override
  public String name() {
    return "kernel module";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    KernelModules kernel = node.kernel();
    if (kernel.hasNvidia()) {
      return loaded(kernel);
    }
    if (!node.mayHaveGpus()) {
      return new Outcome.NotApplicable("no GPU needs one");
    }
    if (node.driver() instanceof DriverAnswer.Reported) {
      return new Outcome.Ok("not listed, and the driver answers");
    }
    if (kernel.hasNouveau()) {
      return new Outcome.Problem(
          "nouveau is loaded, and nvidia is not: nouveau has the GPUs",
          "keep nouveau from loading (a file in /etc/modprobe.d with \"blacklist nouveau\" and"
              + " \"options nouveau modeset=0\"), rebuild the initramfs, reboot, and install"
              + " NVIDIA's driver");
    }
    return notLoaded(node, kernel);
  }

  private static Outcome loaded(KernelModules kernel) {
    String version = kernel.version().map(it -> "nvidia " + it).orElse("nvidia");
    return kernel.readable() && !kernel.names().contains(UVM)
        ? new Outcome.Warning(
            version + " is loaded, and nvidia_uvm is not: CUDA does not work without",
            "modprobe nvidia-uvm, or run nvidia-modprobe -u -c=0 when the node starts")
        : new Outcome.Ok(version + " is loaded");
  }

  private static Outcome notLoaded(ExaminedNode node, KernelModules kernel) {
    if (!node.pci().readable() || !kernel.readable()) {
      return new Outcome.Undecided(
          (kernel.readable() ? "/sys/bus/pci/devices" : "/proc/modules")
              + " cannot be read, and no other file shows NVIDIA's module");
    }
    return new Outcome.Problem(
        "there are GPUs, and the module nvidia is not loaded",
        "install NVIDIA's driver, or modprobe nvidia; if that fails, the kernel's log (dmesg) says"
            + " why: often the module was built for another kernel, or is not signed while secure"
            + " boot is on. With the GPU operator, look at its driver pod on this node");
  }
}
