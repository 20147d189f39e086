package io.gpureclaimer.reclaimer.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The metrics of all agents over HTTP, for direct scrapes. */
final class FakeAgentEndpoint implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, SimulatedAgent> agents = new HashMap<>();
  private final Map<String, byte[]> cached = new ConcurrentHashMap<>();
  private volatile Supplier<ServerBehavior> mood = () -> ServerBehavior.WELL;

  FakeAgentEndpoint(List<SimulatedAgent> all) {
    all.forEach(agent -> agents.put("/" + agent.node() + "/metrics", agent));
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  String addresses() {
    return agents.keySet().stream()
        .map(path -> URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path))
        .map(URI::toString)
        .sorted()
        .collect(Collectors.joining(","));
  }

  /** How they feel at each scrape. */
  void feel(Supplier<ServerBehavior> each) {
    mood = each;
    cached.clear();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      SimulatedAgent agent = requireNonNull(agents.get(exchange.getRequestURI().getPath()));
      String text =
          agent.exposition().stream()
              .flatMap(List::stream)
              .map(ExpositionSample::line)
              .collect(Collectors.joining());
      byte[] body = text.getBytes(UTF_8);
      int length = body.length == 0 ? -1 : body.length;
      switch (mood.get()) {
        case WELL, SLOW, PARTIAL -> {
          if (agent.isUp()) {
            exchange.sendResponseHeaders(200, length);
            exchange.getResponseBody().write(body);
          } else {
            exchange.sendResponseHeaders(503, -1);
          }
        }
        case CACHED -> {
          byte[] old = cached.computeIfAbsent(exchange.getRequestURI().getPath(), _ -> body);
          exchange.sendResponseHeaders(200, old.length == 0 ? -1 : old.length);
          exchange.getResponseBody().write(old);
        }
        case EMPTY -> exchange.sendResponseHeaders(200, -1);
        case CUT -> {
          exchange.sendResponseHeaders(200, length);
          exchange.getResponseBody().write(body, 0, body.length / 2);
        }
        case SILENT, FAILING, OVERLOADED -> exchange.sendResponseHeaders(500, -1);
        case LOGIN_PAGE -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("<html>please log in</html>".getBytes(UTF_8));
        }
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
