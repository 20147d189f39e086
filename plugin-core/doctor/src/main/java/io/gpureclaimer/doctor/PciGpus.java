package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import io.gpureclaimer.doctor.DriverAnswer.Silent;
import io.gpureclaimer.doctor.PciBus.PciGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The GPUs that are plugged in, and those that the driver has. */
final class PciGpus implements Check {
  private static final String LOOK_AT_THE_LOG =
      "look for NVRM and Xid lines in the kernel's log (dmesg); Xid 79 means that a GPU has fallen"
          + " off the bus: reset it or reboot, and replace it if that happens again";

  @Override
  public String name() {
    return "GPUs";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    if (!node.pci().readable()) {
      return new Outcome.Undecided("/sys/bus/pci/devices cannot be read");
    }
    List<PciGpu> plugged = node.pci().forTheDriver();
    return switch (node.driver()) {
      case Silent _ when plugged.isEmpty() -> none(node.pci());
      case Silent _ ->
          new Outcome.Undecided(
              Plurals.of(plugged.size(), "GPU") + " on the PCI bus; the driver does not answer");
      case Reported(var _, var _, var reported) when plugged.isEmpty() && reported.isEmpty() ->
          none(node.pci());
      case Reported(var _, var _, var reported) -> compared(plugged, reported);
    };
  }

  private static Outcome none(PciBus pci) {
    return new Outcome.NotApplicable(
        pci.gpus().isEmpty()
            ? "this machine has no NVIDIA GPU on its PCI bus"
            : Plurals.of(pci.gpus().size(), "GPU")
                + " on the PCI bus, kept for virtual machines (vfio-pci)");
  }

  private static Outcome compared(List<PciGpu> plugged, List<ReportedGpu> reported) {
    List<String> silent =
        reported.stream()
            .filter(gpu -> gpu.trouble() != null)
            .map(gpu -> "GPU " + gpu.index() + ": " + gpu.trouble())
            .toList();
    if (!silent.isEmpty()) {
      return new Outcome.Problem(
          "the driver cannot ask " + String.join("; ", silent), LOOK_AT_THE_LOG);
    }
    if (plugged.isEmpty()) {
      return new Outcome.Ok(
          "the driver has " + Plurals.of(reported.size(), "GPU") + ", none of them on the PCI bus");
    }
    if (reported.size() >= plugged.size()) {
      return new Outcome.Ok(
          Plurals.of(plugged.size(), "GPU") + " on the PCI bus, and the driver has them");
    }
    List<String> missing = new ArrayList<>(plugged.stream().map(PciGpu::address).toList());
    reported.stream().map(ReportedGpu::pciBusId).filter(Objects::nonNull).forEach(missing::remove);
    return new Outcome.Problem(
        Plurals.of(plugged.size(), "GPU")
            + " on the PCI bus, and the driver has "
            + reported.size()
            + "; it lacks "
            + String.join(", ", missing),
        LOOK_AT_THE_LOG);
  }
}
