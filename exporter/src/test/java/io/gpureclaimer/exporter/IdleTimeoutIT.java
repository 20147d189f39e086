package io.gpureclaimer.exporter;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.common.program.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections on which nothing happens any more, on a real server. */
@Timeout(60)
class IdleTimeoutIT {
  private Service.@Nullable Running agent;

  @AfterEach
  void stop() {
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
  void areClosed_whenNothingComes(String said) throws Exception {
    start("300ms", "1m");
    try (Socket socket = connection()) {
      socket.getOutputStream().write(said.getBytes(US_ASCII));

      // Returns at the end of the stream only.
      String heard = new String(socket.getInputStream().readAllBytes(), US_ASCII);

      assertThat(heard.contains("200 OK")).isEqualTo(said.endsWith("\r\n\r\n"));
    }
  }

  @Test
  void areClosed_whenNobodyTakesTheAnswers() throws Exception {
    start("1m", "300ms");
    try (Socket socket = connection()) {
      byte[] request = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII);

      assertThatThrownBy(() -> writeForEver(socket, request)).isInstanceOf(IOException.class);
    }
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void writeForEver(Socket socket, byte[] request) throws IOException {
    while (true) {
      socket.getOutputStream().write(request);
    }
  }

  private Socket connection() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), Objects.requireNonNull(agent).port());
  }

  private void start(String read, String write) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("micronaut.server.host", "127.0.0.1");
    properties.put("micronaut.server.port", 0);
    properties.put("micronaut.server.read-idle-timeout", read);
    properties.put("micronaut.server.write-idle-timeout", write);
    properties.put("simulation.profile", "t4x4");
    agent = (Service.Running) Service.start("gpu-exporter", properties);
  }
}
