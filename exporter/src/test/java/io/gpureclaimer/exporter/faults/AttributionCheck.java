package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.faults.ActualNode.Kubelet;
import io.gpureclaimer.exporter.faults.ActualNode.MigDivision;

/** Checks which pods devices are attributed to. */
final class AttributionCheck {
  private final CheckFindings findings;

  AttributionCheck(CheckFindings findings) {
    this.findings = findings;
  }

  void see(AgentOutput look) {
    seePods(look);
    seeDevices(look);
  }

  /** A pod is named with a device that it has, or had a moment ago, alone. */
  private void seePods(AgentOutput look) {
    boolean silent = look.surely(world -> world.kubelet() != Kubelet.ANSWERS);
    for (var sample : look.work()) {
      int device = AgentOutput.device(sample);
      String pod = sample.series().labels().getOrDefault("pod", "");
      if (pod.isEmpty()) {
        for (String holder : look.history().last().cards().get(device).pods()) {
          findings.require(
              look,
              !look.surely(
                  device,
                  world ->
                      world.holdsAlone(holder, device)
                          && world.reportsWork(device)
                          && world.kubelet() == Kubelet.ANSWERS),
              "no pod holds " + device);
        }
      } else {
        findings.saw("a pod holds a " + (ActualNode.isPart(device) ? "part" : "GPU"));
        findings.require(look, !silent, pod + " at " + device + " while the kubelet is silent");
        findings.require(
            look,
            look.may(world -> world.holdsAlone(pod, device), AgentOutput.LAST_WORD),
            pod + " alone at " + device);
      }
    }
  }

  private void seeDevices(AgentOutput look) {
    for (var sample : look.of("gpu_pod_device_count")) {
      String pod = sample.series().labels().getOrDefault("pod", "");
      double count = AgentOutput.value(sample);
      findings.require(
          look,
          look.may(
              world ->
                  world.devicesOf(pod) == count
                      || !world.isComplete()
                      || world.division() != MigDivision.WHOLE,
              AgentOutput.LAST_WORD),
          pod + " holds " + count + " devices");
    }
  }
}
