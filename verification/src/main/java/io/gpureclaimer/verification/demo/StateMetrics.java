package io.gpureclaimer.verification.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.sun.net.httpserver.HttpServer;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;

/**
 * What kube-state-metrics would tell of the simulated cluster's pods, as far as our queries ask.
 */
final class StateMetrics implements AutoCloseable {
  private final SimulatedCluster cluster;
  private final HttpServer server;

  private StateMetrics(SimulatedCluster cluster, HttpServer server) {
    this.cluster = cluster;
    this.server = server;
  }

  /** Serves them on a free port. */
  static StateMetrics of(SimulatedCluster cluster) {
    try {
      var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      var metrics = new StateMetrics(cluster, HttpServer.create(loopback, 0));
      metrics.start();
      return metrics;
    } catch (IOException e) {
      throw new UncheckedIOException("no free port for the state of the cluster", e);
    }
  }

  private void start() {
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = text().getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private String text() {
    return cluster.look().pods().stream().map(StateMetrics::of).collect(joining());
  }

  private static String of(PodView pod) {
    String labels =
        label("namespace", pod.ref().namespace())
            + ","
            + label("pod", pod.ref().name())
            + ","
            + label("uid", pod.ref().uid());
    var lines = new StringBuilder();
    line(
        lines,
        "kube_pod_container_resource_requests",
        labels
            + ",container=\"main\",resource=\"nvidia_com_gpu\",unit=\"integer\","
            + label("node", pod.node().orElse("")),
        pod.gpus());
    for (PodPhase phase : PodPhase.values()) {
      String word = phase.name().charAt(0) + phase.name().substring(1).toLowerCase(Locale.ROOT);
      line(
          lines,
          "kube_pod_status_phase",
          labels + "," + label("phase", word),
          pod.phase() == phase ? 1 : 0);
    }
    pod.waiting()
        .ifPresent(
            waiting -> {
              line(lines, "kube_pod_status_unschedulable", labels, 1);
              line(lines, "kube_pod_created", labels, waiting.since().getEpochSecond());
            });
    return lines.toString();
  }

  private static String label(String name, String value) {
    return name + "=\"" + value + '"';
  }

  private static void line(StringBuilder lines, String name, String labels, long value) {
    lines.append(name).append('{').append(labels).append("} ").append(value).append('\n');
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
