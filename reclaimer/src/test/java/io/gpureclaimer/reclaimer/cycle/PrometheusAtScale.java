package io.gpureclaimer.reclaimer.cycle;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * A process of its own that answers as a Prometheus would that has scraped {@link ClusterAtScale}:
 * compressed, and with nothing for questions about anything else. Arguments: how many nodes, the
 * port, and a folder for the answer.
 */
final class PrometheusAtScale {
  private static final String NOTHING =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}";

  private final Path answer;

  private PrometheusAtScale(Path answer) {
    this.answer = answer;
  }

  public static void main(String... arguments) throws IOException {
    Path answer = Path.of(arguments[2]).resolve("answer.json.gz");
    try (var writer =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(answer), 1 << 16), StandardCharsets.UTF_8)) {
      int samples = new ClusterAtScale(Integer.parseInt(arguments[0])).answer(writer);
      System.out.println(samples + " samples, " + Files.size(answer) + " bytes compressed");
    }
    var here =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
    HttpServer server = HttpServer.create(here, 0);
    var prometheus = new PrometheusAtScale(answer);
    server.createContext("/api/v1/query", prometheus::query);
    server.start();
    System.out.println("ready");
  }

  private void query(HttpExchange exchange) throws IOException {
    String query =
        URLDecoder.decode(
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
            StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    try (OutputStream body = exchange.getResponseBody()) {
      if (query.contains(LedgerMetrics.OBSERVED_UNTIL)) {
        exchange.getResponseHeaders().add("Content-Encoding", "gzip");
        exchange.sendResponseHeaders(200, 0);
        Files.copy(answer, body);
      } else {
        exchange.sendResponseHeaders(200, 0);
        body.write(NOTHING.getBytes(StandardCharsets.UTF_8));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
