package io.gpureclaimer.reclaimer.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of the reclaimer that open many connections and never finish a request. */
@Timeout(60)
class ConnectionFloodIT {
  private static final String HALF = "GET /plan HTTP/1.1\r\nHost: a\r\nX-Long: aaaa";
  private static final int ATTACKERS = 2_000;
  private static final int ADDRESSES = 4;

  private final Queue<Attacker> attackers = new ConcurrentLinkedQueue<>();
  private final HttpClient kept = HttpClient.newHttpClient();
  private Service.Running reclaimer;

  /** A client that stops in the middle of a request, or sends the rest byte after byte. */
  private record Attacker(SocketChannel channel, boolean trickles) {

    /** Sends a byte if it trickles; closes its own end if the server has closed the connection. */
    boolean goesOn() throws IOException {
      try {
        if (trickles) {
          channel.write(ByteBuffer.wrap(new byte[] {'a'}));
        }
        if (channel.read(ByteBuffer.allocate(1_024)) >= 0) {
          return true;
        }
      } catch (IOException _) {
        // The server has closed it, with bytes unread.
      }
      channel.close();
      return false;
    }
  }

  @BeforeEach
  void start() {
    reclaimer =
        (Service.Running)
            Service.start(
                "gpu-reclaimer",
                Map.of(
                    "micronaut.server.host",
                    "127.0.0.1",
                    "micronaut.server.port",
                    0,
                    "web.read-timeout",
                    "3s",
                    "reclaimer.cluster",
                    "embedded",
                    "direct.agents",
                    List.of("http://127.0.0.1:9/metrics")),
                new SimulatedCluster(Clock.systemUTC()),
                SimulatedLeadership.alone("test"));
  }

  @AfterEach
  void stop() throws IOException {
    for (Attacker attacker : attackers) {
      attacker.channel.close();
    }
    kept.close();
    reclaimer.close();
  }

  @Test
  void probesAreAnswered_andEveryAttackerIsClosed() throws Exception {
    Thread flood = Thread.ofPlatform().start(this::openAll);
    int probes = 0;
    while (flood.isAlive()) {
      probe();
      probes++;
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              probe();
              for (var each = attackers.iterator(); each.hasNext(); ) {
                if (!each.next().goesOn()) {
                  each.remove();
                }
              }
              return attackers.isEmpty();
            });

    assertThat(probes).isPositive();
    assertThat(metric("connections_closed_total{reason=\"limit\",}"))
        .isGreaterThan(ATTACKERS * 9L / 10);
    assertThat(metric("connections_closed_total{reason=\"deadline\",}")).isPositive();
    assertThat(metric("http_connections ")).as("the probe's and this one").isBetween(1L, 2L);
  }

  private void openAll() {
    byte[] half = HALF.getBytes(US_ASCII);
    for (int number = 0; number < ATTACKERS; number++) {
      try {
        var channel = SocketChannel.open();
        channel
            .bind(new InetSocketAddress("127.0.1." + (1 + number % ADDRESSES), 0))
            .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), reclaimer.port()));
        channel.write(ByteBuffer.wrap(half));
        channel.configureBlocking(false);
        attackers.add(new Attacker(channel, number / ADDRESSES % 2 == 0));
      } catch (IOException _) {
        // Refused, as it may be.
      }
    }
  }

  /** As the kubelet does, over a new connection; and over one that stays open. */
  private void probe() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + reclaimer.port() + "/health"))
            .timeout(Duration.ofSeconds(10))
            .build();
    assertThat(kept.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThat(get("/health")).startsWith("HTTP/1.1 200 OK\r\n");
  }

  private long metric(String suffix) throws IOException {
    return get("/metrics")
        .lines()
        .filter(line -> !line.startsWith("#") && line.contains(suffix))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private String get(String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), reclaimer.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                  .getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }
}
