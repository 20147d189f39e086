package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.program.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that open too many connections or never finish a request, on a real server. */
@Timeout(60)
class ConnectionLimitsIT {
  private static final String WHOLE = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String HALF = "GET /metrics HTTP/1.1\r\nHost: a\r\nX-Long: aaaa";
  private static final int MOST = 128;
  private static final int HALF_OPEN = 20_000;

  /** More than wait in the kernel to be accepted, so that no attacker ends before it was seen. */
  private static final int ATTACKERS_KEPT = 8_000;

  private final AgentProcess process = new AgentProcess();
  private Service.@Nullable Running agent;
  private int port;
  private final Queue<SocketChannel> attackers = new ArrayDeque<>();
  private final AtomicBoolean attacking = new AtomicBoolean(true);
  private Thread attacker = new Thread(this::attack);

  @AfterEach
  void stop() throws Exception {
    attacking.set(false);
    attacker.join();
    for (SocketChannel attacker : attackers) {
      attacker.close();
    }
    process.stop();
    if (agent != null) {
      agent.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET /health HTTP/1.1\r\nHost: a",
        "GET /health HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"
      })
  void aConnectionIsClosed_whenNothingComes(String said) throws Exception {
    start("300ms", "1m");
    try (Socket socket = connection()) {
      socket.getOutputStream().write(said.getBytes(US_ASCII));

      // Returns at the end of the stream only.
      String heard = new String(socket.getInputStream().readAllBytes(), US_ASCII);

      assertThat(heard.contains("200 OK")).isEqualTo(said.endsWith("\r\n\r\n"));
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, 1", "127.0.0.2, 100"})
  void aClientThatSendsByteAfterByteIsClosed(String from, int pauseMillis) throws Exception {
    start("700ms", "1m");
    try (Socket socket = connectionFrom(from)) {
      socket.getOutputStream().write(HALF.getBytes(US_ASCII));
      long begun = System.nanoTime();

      assertThatThrownBy(
              () -> {
                while (System.nanoTime() - begun < Duration.ofSeconds(10).toNanos()) {
                  socket.getOutputStream().write('a');
                  Thread.sleep(pauseMillis);
                }
              })
          .isInstanceOf(IOException.class);
    }
    await().untilAsserted(() -> assertThat(metric("closed_total{reason=\"deadline\",}")).isOne());
  }

  @Test
  void aConnectionIsClosed_whenTheClientDoesNotTakeTheAnswers() throws Exception {
    start("1m", "300ms");
    try (Socket socket = connection()) {
      byte[] request = WHOLE.getBytes(US_ASCII);

      assertThatThrownBy(() -> writeForever(socket, request)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aNewClientKeepsItsConnection_whileOthersTakeAllPlaces() throws Exception {
    start("1m", "1m");
    try (Socket newcomer = connectionFrom("127.0.0.2")) {
      for (int number = 0; number < 2 * MOST; number++) {
        SocketChannel other = SocketChannel.open();
        attackers.add(other);
        other.bind(new InetSocketAddress("127.0.1." + (1 + number % 4), 0)).connect(address());
      }
      await()
          .untilAsserted(
              () -> assertThat(metric("closed_total{reason=\"limit\",}")).isGreaterThan(MOST - 1));

      assertThat(scrape(newcomer)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  /** The memory is that of an agent on a node: its heap cannot hold the connections. */
  @Test
  void aScraperIsServed_whileClientsOpenTwentyThousandHalfRequests(@TempDir Path folder)
      throws Exception {
    process.start(folder, "", "--simulate", "t4x4");
    port = process.address("/").getPort();
    List<Duration> times = new ArrayList<>();
    try (Socket scraper = connectionFrom("127.0.0.2")) {
      assertThat(scrape(scraper)).isEqualTo("HTTP/1.1 200 OK");
      attacker.start();
      while (attacker.isAlive()) {
        long begun = System.nanoTime();
        assertThat(scrape(scraper)).isEqualTo("HTTP/1.1 200 OK");
        try (Socket another = connectionFrom("127.0.0.2")) {
          assertThat(scrape(another)).isEqualTo("HTTP/1.1 200 OK");
        }
        times.add(Duration.ofNanos(System.nanoTime() - begun));
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
    System.out.printf(
        "%d half-open connections: %d times two scrapes, the slowest in %d ms%n",
        HALF_OPEN, times.size(), times.stream().mapToLong(Duration::toMillis).max().orElse(0));

    // What a scrape says is up to a second old.
    await()
        .untilAsserted(
            () ->
                assertThat(metric("closed_total{reason=\"limit\",}"))
                    .isGreaterThan(HALF_OPEN * 9L / 10));
    assertThat(metric("http_connections ")).isLessThanOrEqualTo(MOST);
    for (SocketChannel attacker : attackers) {
      attacker.close();
    }
    await().untilAsserted(() -> assertThat(metric("http_connections ")).isOne());
    assertThat(process.log()).filteredOn(line -> line.contains("ConnectionGuard")).hasSize(1);
  }

  private void attack() {
    byte[] half = HALF.getBytes(US_ASCII);
    for (int number = 0; attacking.get() && number < HALF_OPEN; number++) {
      try {
        SocketChannel channel = SocketChannel.open();
        attackers.add(channel);
        if (attackers.size() > ATTACKERS_KEPT) {
          attackers.remove().close();
        }
        channel.bind(new InetSocketAddress("127.0.1." + (1 + number % 4), 0)).connect(address());
        channel.write(ByteBuffer.wrap(half));
      } catch (IOException _) {
        // Refused, as it may be.
      }
    }
  }

  private long metric(String suffix) throws IOException {
    try (Socket socket = connection()) {
      socket
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII)
          .lines()
          .filter(line -> !line.startsWith("#") && line.contains(suffix))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    }
  }

  /** The first line of the answer; the rest is read, too. */
  private static String scrape(Socket socket) throws IOException {
    socket.getOutputStream().write(WHOLE.getBytes(US_ASCII));
    var input = socket.getInputStream();
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = input.read();
      if (next < 0) {
        return "closed after " + head;
      }
      head.append((char) next);
    }
    int length =
        head.toString()
            .lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElseThrow();
    input.readNBytes(length);
    return head.toString().lines().findFirst().orElseThrow();
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void writeForever(Socket socket, byte[] request) throws IOException {
    while (true) {
      socket.getOutputStream().write(request);
    }
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private Socket connectionFrom(String client) throws IOException {
    var socket = new Socket();
    socket.bind(new InetSocketAddress(client, 0));
    socket.connect(address());
    return socket;
  }

  private Socket connection() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private void start(String read, String write) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("micronaut.server.host", "127.0.0.1");
    properties.put("micronaut.server.port", 0);
    properties.put("web.read-timeout", read);
    properties.put("web.write-timeout", write);
    properties.put("simulation.profile", "t4x4");
    agent = (Service.Running) Service.start("gpu-exporter", properties);
    port = agent.port();
  }
}
