package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import java.util.List;
import java.util.Objects;

/** GPUs that are reserved for one process although no MPS daemon shares them. */
final class MpsLeftovers implements Check {
  private static final long PROHIBITED = 2;
  private static final long EXCLUSIVE_PROCESS = 3;

  /** As much of nvidia-cuda-mps-control and nvidia-cuda-mps-server as the kernel keeps. */
  private static final String DAEMON = "nvidia-cuda-mps";

  @Override
  public String name() {
    return "compute mode and MPS";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    if (!(node.driver() instanceof Reported(var _, var _, var gpus)) || gpus.isEmpty()) {
      return new Outcome.NotApplicable("the driver reports no GPU");
    }
    List<Integer> closed = inMode(gpus, PROHIBITED);
    if (!closed.isEmpty()) {
      return new Outcome.Problem(
          Plurals.gpus(closed) + " refuse every process (compute mode PROHIBITED)",
          "nvidia-smi -i " + closed.getFirst() + " -c DEFAULT, and so for each of them");
    }
    List<Integer> exclusive = inMode(gpus, EXCLUSIVE_PROCESS);
    boolean daemon = NodeProcesses.run(node.files(), DAEMON);
    if (!exclusive.isEmpty() && !daemon) {
      return new Outcome.Warning(
          Plurals.gpus(exclusive)
              + " may be used by one process at a time (compute mode "
              + "EXCLUSIVE_PROCESS), and no MPS daemon was found: a second one fails "
              + "with \"all CUDA-capable devices are"
              + " busy\"",
          "unless that is wanted: nvidia-smi -i "
              + exclusive.getFirst()
              + " -c DEFAULT, and so for each of them");
    }
    if (gpus.stream().allMatch(gpu -> gpu.computeMode() == null)) {
      return new Outcome.Undecided("the driver does not report the compute mode");
    }
    return new Outcome.Ok(
        daemon ? "an MPS daemon runs" : "no MPS daemon, and no GPU is kept for one process");
  }

  private static List<Integer> inMode(List<ReportedGpu> gpus, long mode) {
    return gpus.stream()
        .filter(gpu -> Objects.equals(gpu.computeMode(), mode))
        .map(ReportedGpu::index)
        .toList();
  }
}
