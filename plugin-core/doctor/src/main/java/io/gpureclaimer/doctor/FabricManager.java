package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import io.gpureclaimer.doctor.DriverAnswer.Silent;
import java.util.List;

/** Checks the Fabric Manager, which NVSwitch systems need. */
final class FabricManager implements Check {
  private static final long NO_FABRIC = 0;
  private static final long JOINED = 3;
  private static final String SOCKET = "/run/nvidia-fabricmanager/socket";

  /** As much of nv-fabricmanager as the kernel keeps. */
  private static final String PROCESS = "nv-fabricmanage";

  private static final String START_IT =
      "install nvidia-fabricmanager in exactly the driver's version and start it (systemctl enable"
          + " --now nvidia-fabricmanager); if it ends, its log says why";

  @Override
  public String name() {
    return "fabric manager";
  }

  @Override
  public Outcome run(ExaminedNode node) {
    List<ReportedGpu> inFabric =
        switch (node.driver()) {
          case Reported(var _, var _, var gpus) ->
              gpus.stream().filter(FabricManager::has).toList();
          case Silent _ -> List.of();
        };
    if (node.pci().switches() == 0 && inFabric.isEmpty()) {
      return new Outcome.NotApplicable("this machine has no NVSwitch");
    }
    return inFabric.isEmpty() ? seen(node) : joined(inFabric);
  }

  private static boolean has(ReportedGpu gpu) {
    Long status = gpu.fabricStatus();
    return status != null && status != NO_FABRIC;
  }

  private static Outcome joined(List<ReportedGpu> gpus) {
    List<Integer> outside =
        gpus.stream()
            .filter(gpu -> gpu.fabricStatus() != null && gpu.fabricStatus() != JOINED)
            .map(ReportedGpu::index)
            .toList();
    return outside.isEmpty()
        ? new Outcome.Ok("all GPUs have joined the NVLink fabric")
        : new Outcome.Problem(
            Plurals.gpus(outside)
                + " did not join the NVLink fabric: CUDA fails there with \"system not yet"
                + " initialized\"",
            START_IT);
  }

  /** GPUs before Hopper do not report it. */
  private static Outcome seen(ExaminedNode node) {
    String switches = Plurals.of(node.pci().switches(), "NVSwitch device");
    boolean runs =
        NodeProcesses.run(node.files(), PROCESS)
            || node.files().knock(SOCKET) == NodeFiles.SocketProbe.ANSWERS;
    return runs
        ? new Outcome.Ok(switches + ", and a fabric manager runs")
        : new Outcome.Warning(
            switches
                + ", and no fabric manager was found: without one CUDA fails with"
                + " \"system not yet initialized\"",
            START_IT);
  }
}
