package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** The HTTP server of the reclaimer, over an empty cluster, for {@code connection-flood}. */
final class ReclaimerWithoutKubernetes {
  private ReclaimerWithoutKubernetes() {}

  /**
   * Serves on the loopback address until the process is stopped.
   *
   * @param arguments the port
   */
  public static void main(String[] arguments) {
    Service.start(
        "gpu-reclaimer",
        Map.of(
            "micronaut.server.host",
            "127.0.0.1",
            "micronaut.server.port",
            Integer.parseInt(arguments[0]),
            "reclaimer.cluster",
            "embedded",
            "direct.agents",
            List.of("http://127.0.0.1:9/metrics")),
        new SimulatedCluster(Clock.systemUTC()),
        SimulatedLeadership.alone("test"));
  }
}
