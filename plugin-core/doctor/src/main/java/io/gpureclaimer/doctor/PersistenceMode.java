package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import java.util.List;
import java.util.Objects;

/** Checks whether the driver stays loaded without clients. */
final class PersistenceMode implements Check {

  @Override
  public String name() {
    return "persistence mode";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    if (!(node.driver() instanceof Reported(var _, var _, var gpus)) || gpus.isEmpty()) {
      return new Outcome.NotApplicable("the driver reports no GPU");
    }
    List<Integer> off =
        gpus.stream()
            .filter(gpu -> Objects.equals(gpu.persistent(), false))
            .map(ReportedGpu::index)
            .toList();
    if (!off.isEmpty()) {
      return new Outcome.Warning(
          "off on "
              + Plurals.gpus(off)
              + ": the driver unloads a GPU that no process uses, so that the next "
              + "program waits for"
              + " seconds and settings are lost",
          "run nvidia-persistenced on the node, or nvidia-smi -pm 1");
    }
    return gpus.stream().allMatch(gpu -> gpu.persistent() == null)
        ? new Outcome.Undecided("the driver does not report it")
        : new Outcome.Ok("on");
  }
}
