package io.gpureclaimer.reclaimer.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Two receivers of messages, both of which must have every warning. */
final class FakeReceivers implements AutoCloseable {
  private static final List<String> NAMES = List.of("team", "platform");

  private final SkewedClocks time;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Path file;
  private final Queue<ReceivedWarning> taken = new ConcurrentLinkedQueue<>();
  private volatile Map<String, Reception> receptions = Map.of();

  /** What one of them does with a message. */
  enum Reception {
    TAKES,
    /** It does not take it. */
    REFUSES,
    /** It does not take it now, and says when it would. */
    IS_BUSY,
    /** It takes it, and its answer gets lost. */
    LOSES_ITS_ANSWER
  }

  /** A warning that one of them has. */
  private record ReceivedWarning(String receiver, String uid, Instant at) {}

  FakeReceivers(SkewedClocks time) {
    this.time = time;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      file = Files.createTempFile("receivers", ".yaml");
      Files.writeString(
          file,
          NAMES.stream()
              .map(name -> "  - name: " + name + "\n    url: " + address(name) + "\n")
              .collect(Collectors.joining("", "receivers:\n", "")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  private String address(String name) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
  }

  /** Names them to the program. */
  Path file() {
    return file;
  }

  /** From now on one of them does so, and the other takes all. */
  void receive(Reception as, boolean first) {
    receptions = Map.of(first ? NAMES.getFirst() : NAMES.getLast(), as);
  }

  /** Whether each of them got a warning of the pod in that time, the ends included. */
  boolean allWarned(PodRef pod, Instant from, Instant to) {
    return NAMES.stream()
        .allMatch(
            name ->
                taken.stream()
                    .filter(warning -> warning.receiver().equals(name))
                    .filter(warning -> warning.uid().equals(pod.uid()))
                    .map(ReceivedWarning::at)
                    .anyMatch(at -> !at.isBefore(from) && !at.isAfter(to)));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String name = exchange.getRequestURI().getPath().substring(1);
      JsonNode message = new ObjectMapper().readTree(exchange.getRequestBody().readAllBytes());
      switch (receptions.getOrDefault(name, Reception.TAKES)) {
        case TAKES -> {
          take(name, message);
          exchange.sendResponseHeaders(204, -1);
        }
        case LOSES_ITS_ANSWER -> take(name, message);
        case REFUSES -> exchange.sendResponseHeaders(500, -1);
        case IS_BUSY -> {
          exchange.getResponseHeaders().set("Retry-After", "90");
          exchange.sendResponseHeaders(429, -1);
        }
      }
    }
  }

  private void take(String name, JsonNode message) {
    if (message.path("topic").asText().equals("warning")) {
      taken.add(
          new ReceivedWarning(name, message.path("workload").path("uid").asText(), time.now()));
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
