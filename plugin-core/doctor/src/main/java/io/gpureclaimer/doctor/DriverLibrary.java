package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.Silent;
import io.gpureclaimer.nvml.NvmlReturn;
import org.jspecify.annotations.Nullable;

/** Checks the driver's library and its version against the kernel module. */
final class DriverLibrary implements Check {
  private static final String SAME_VERSION =
      "a driver was upgraded while the old one ran: reboot, or stop all that uses GPUs, unload the"
          + " modules (modprobe -r nvidia_uvm nvidia_drm nvidia_modeset nvidia) and "
          + "load them again;"
          + " then restart this agent's pod, so that it sees the new library";

  @Override
  public String name() {
    return "driver library";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    String module = node.kernel().nvidia();
    return switch (node.driver()) {
      case Reported(var _, var library, var _) -> fits(library, module);
      case Silent(var reason, var text) ->
          node.mayHaveGpus() ? silent(node, reason, text) : unneeded(reason);
    };
  }

  private static Outcome fits(@Nullable String library, @Nullable String module) {
    if (library == null) {
      return new Outcome.Ok("libnvidia-ml.so.1 answers");
    }
    if (module == null || module.equals(library)) {
      return new Outcome.Ok("libnvidia-ml.so.1 of " + library + " answers");
    }
    return new Outcome.Warning(
        "libnvidia-ml.so.1 is of " + library + ", the kernel's module of " + module, SAME_VERSION);
  }

  private static Outcome unneeded(NvmlReturn reason) {
    return new Outcome.NotApplicable(
        reason == NvmlReturn.LIBRARY_NOT_FOUND
            ? "no GPU needs one, and there is none"
            : "there is one, and no GPU needs it");
  }

  private static Outcome silent(ExaminedNode node, NvmlReturn reason, String text) {
    return switch (reason) {
      case LIBRARY_NOT_FOUND ->
          new Outcome.Problem(
              text,
              "install the driver's user-space libraries; in a pod, let NVIDIA's runtime or a"
                  + " volume bring them, or name their folder with --nvml-library");
      case LIB_RM_VERSION_MISMATCH ->
          new Outcome.Problem(
              "the library is of another version than the kernel's module"
                  + node.kernel().version().map(it -> ", which is " + it).orElse(""),
              SAME_VERSION);
      case DRIVER_NOT_LOADED ->
          new Outcome.Problem(
              "there is a library, and it finds no loaded driver",
              node.kernel().hasNvidia()
                  ? "in a container: give it the device files /dev/nvidiactl and /dev/nvidia0, …;"
                      + " on the node: run nvidia-smi and look into the kernel's log (dmesg)"
                  : "load the kernel module nvidia");
      case NO_PERMISSION, OPERATING_SYSTEM ->
          new Outcome.Problem(
              text,
              "let this process open /dev/nvidiactl and /dev/nvidia0, …: run it as root, and see"
                  + " the check of device permissions");
      default -> new Outcome.Problem(text, "run nvidia-smi on the node; see the kernel's log");
    };
  }
}
