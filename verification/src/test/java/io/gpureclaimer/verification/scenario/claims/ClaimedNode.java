package io.gpureclaimer.verification.scenario.claims;

import io.gpureclaimer.verification.scenario.harness.InstalledAgents;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.Prometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.nio.file.Path;

/**
 * A node whose GPUs pods can claim, with an agent as the chart has it, and who scrapes that.
 *
 * @param devices of the node
 * @param driver that gives them out
 * @param prometheus scrapes the agent every second
 */
record ClaimedNode(SimulatedClaimNode devices, DraDriver driver, Prometheus prometheus) {
  private static final Path VALUES =
      Path.of("src/test/java/io/gpureclaimer/verification/scenario/claims/values.yaml");

  static ClaimedNode install(TestCluster cluster) {
    SimulatedClaimNode devices = SimulatedClaimNode.named(cluster.node());
    cluster.apply(Manifest.beside(ClaimedNode.class, "classes.yaml"));
    Manifest slices = devices.in(Manifest.beside(ClaimedNode.class, "gpus.yaml"));
    DraDriver driver = DraDriver.start(cluster, DraDriver.GPUS, slices);
    InstalledAgents agents = InstalledAgents.rendered(cluster, VALUES, SimulatedClaimNode.SCRIPT);
    Prometheus prometheus = Prometheus.start(cluster, Prometheus.configuration());
    agents.awaitReady();
    return new ClaimedNode(devices, driver, prometheus);
  }

  /** The UUID of the GPU with this index. */
  String gpu(int index) {
    return devices.gpus().get(index);
  }

  /** The UUID of that instance of the last GPU. */
  String instance(int index) {
    return devices.instances().get(index);
  }
}
