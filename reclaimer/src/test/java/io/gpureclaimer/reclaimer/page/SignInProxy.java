package io.gpureclaimer.reclaimer.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** A proxy where people sign in: it adds their name and a secret, as oauth2-proxy does. */
final class SignInProxy implements AutoCloseable {
  private static final Set<String> OF_THE_CONNECTION =
      Set.of("host", "connection", "content-length", "transfer-encoding", "date");

  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicReference<HttpHandler> session = new AtomicReference<>();
  private final HttpServer server;
  private final URI program;
  private final String secret;

  /** No person is signed in yet. */
  SignInProxy(URI program, String secret) throws IOException {
    this.program = program;
    this.secret = secret;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    signOut();
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            session.get().handle(exchange);
          }
        });
    server.setExecutor(threads);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void signIn(String user) {
    session.set(
        exchange -> pass(exchange, Map.of("X-Forwarded-User", user, "X-Proxy-Secret", secret)));
  }

  /** Requests are passed on without a name. */
  void signOut() {
    session.set(exchange -> pass(exchange, Map.of()));
  }

  /** Requests are answered with a page of the proxy. */
  void answer(int status, String body) {
    session.set(exchange -> respond(exchange, status, body.getBytes(UTF_8)));
  }

  /** Requests are sent on to another site. */
  void redirect(String location) {
    session.set(
        exchange -> {
          exchange.getResponseHeaders().set("Location", location);
          exchange.sendResponseHeaders(302, -1);
        });
  }

  private void pass(HttpExchange exchange, Map<String, String> identity) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(program.resolve(exchange.getRequestURI()))
            .method(
                exchange.getRequestMethod(),
                BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    identity.forEach(request::header);
    try {
      HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
      response
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                  exchange.getResponseHeaders().put(name, values);
                }
              });
      respond(exchange, response.statusCode(), response.body());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void respond(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    http.close();
  }
}
