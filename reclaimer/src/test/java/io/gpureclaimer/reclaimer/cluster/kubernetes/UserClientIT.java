package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.gpureclaimer.reclaimer.cluster.UserRequests.UserReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UserClientIT {
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private int code = 200;
  private String body = "{}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().get("Authorization")
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          byte[] reply = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(code, reply.length);
          exchange.getResponseBody().write(reply);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void sendsTheTokenOfThePerson_andNotOurs() {
    assertThat(request()).isEqualTo(new UserReply(200, ""));
    assertThat(requests)
        .containsExactly(
            "PATCH /apis/gpu-reclaimer.io/v1alpha1/namespaces/ml/reclamations/a [Bearer theirs]"
                + " {\"spec\":{\"restore\":true}}");
  }

  @Test
  void doesNotTryAgainWithOurToken_whenTheirsIsRefused() {
    code = 401;
    body = "{\"kind\":\"Status\",\"message\":\"Unauthorized\"}";

    assertThat(request()).isEqualTo(new UserReply(401, "Unauthorized"));
    assertThat(requests).hasSize(1).allMatch(request -> request.contains("[Bearer theirs]"));
  }

  @Test
  void says502_whenNothingAnswers() {
    stop();

    assertThat(request().code()).isEqualTo(502);
  }

  @Test
  void hasAMessage_whenTheAnswerIsNoJson() {
    code = 503;
    body = "<html>";

    assertThat(request()).isEqualTo(new UserReply(503, "the API server refused"));
  }

  private UserReply request() {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withOauthToken("ours")
            .build();
    return new UserClient(config).requestRestore("ml", "a", "Bearer theirs");
  }
}
