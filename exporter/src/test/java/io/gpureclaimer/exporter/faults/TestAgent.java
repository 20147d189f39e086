package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.common.program.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The whole agent on a node, in a hurry: what takes seconds elsewhere takes tenths here. */
final class TestAgent implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final FaultyNodeSimulation node;
  private final Path folder;
  private Service.@Nullable Running service;

  TestAgent(FaultyNodeSimulation node, Path folder) {
    this.node = node;
    this.folder = folder;
  }

  void start() {
    var properties = new HashMap<String, Object>();
    properties.putAll(
        Map.of(
            "micronaut.server.host", "127.0.0.1",
            "micronaut.server.port", 0,
            "node.name", "node-a",
            "counters.file", node.counters().toString(),
            "sampling.interval", "100ms",
            "sampling.stale-after", "2s"));
    properties.putAll(Map.of("driver.library", node.library().toString()));
    properties.putAll(
        Map.of(
            "attribution.kubelet", true,
            "attribution.kubelet-socket", node.socket().toString(),
            "attribution.refresh-after", "200ms",
            "attribution.deadline", "500ms",
            "attribution.stale-after", "3s"));
    properties.putAll(
        Map.of(
            "device-plugin.enabled",
            true,
            "device-plugin.options.kubelet-socket",
            node.deviceManager().toString(),
            "device-plugin.survey-after",
            "500ms",
            "device-plugin.quiet-time",
            "1s",
            "device-plugin.health-file",
            folder.resolve("health.json").toString(),
            "device-plugin.cdi-folder",
            folder.resolve("cdi").toString()));
    service =
        switch (Service.start("gpu-exporter", properties)) {
          case Service.Running running -> running;
          case Service.Misconfigured(var problem) -> throw new AssertionError(problem);
          case Service.NotListening(var problem) -> throw new AssertionError(problem);
        };
  }

  @Override
  public void close() {
    if (service != null) {
      service.close();
      service = null;
    }
  }

  byte[] scrape() {
    return send(HttpRequest.newBuilder(uri("/metrics"))).body();
  }

  boolean isReady() {
    return send(HttpRequest.newBuilder(uri("/ready"))).statusCode() == 200;
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) {
    try {
      return client.send(
          request.timeout(Duration.ofSeconds(15)).build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("tests are not interrupted", e);
    }
  }

  private URI uri(String path) {
    int port = Objects.requireNonNull(service, "it does not run").port();
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
