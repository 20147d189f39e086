package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Told;
import io.gpureclaimer.doctor.DriverAnswer.ToldGpu;
import java.util.List;
import java.util.Objects;

/** Whether the driver stays ready while nobody uses a GPU. */
final class PersistenceMode implements Check {

  @Override
  public String name() {
    return "persistence mode";
  }

  @Override
  public Outcome look(Node node) {
    if (!(node.driver() instanceof Told(var _, var _, var gpus)) || gpus.isEmpty()) {
      return new Outcome.NotApplicable("the driver tells of no GPU");
    }
    List<Integer> off =
        gpus.stream()
            .filter(gpu -> Objects.equals(gpu.persistent(), false))
            .map(ToldGpu::index)
            .toList();
    if (!off.isEmpty()) {
      return new Outcome.Warning(
          "off on "
              + Numbers.gpus(off)
              + ": the driver lets go of a GPU that nobody uses, so that the next program waits for"
              + " seconds and settings are lost",
          "run nvidia-persistenced on the node, or nvidia-smi -pm 1");
    }
    return gpus.stream().allMatch(gpu -> gpu.persistent() == null)
        ? new Outcome.CannotTell("the driver does not tell it")
        : new Outcome.Ok("on");
  }
}
