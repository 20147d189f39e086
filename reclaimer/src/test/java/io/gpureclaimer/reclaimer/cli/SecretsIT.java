package io.gpureclaimer.reclaimer.cli;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.github.tomakehurst.wiremock.WireMockServer;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.notify.Notifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Whatever goes wrong with them, no token and no secret address gets into the log. */
class SecretsIT {
  private static final String TOKEN = "eyJhbGciOiJSUzI1NiJ9-token";
  private static final String HOOK = "T000-B000-very-secret";

  @TempDir Path folder;

  @Test
  void areNotLogged_byAStartAndACycleInWhichEverythingFails() throws IOException {
    var server = new WireMockServer(options().dynamicPort());
    var lines = new ListAppender<ILoggingEvent>();
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    lines.start();
    root.addAppender(lines);
    server.start();
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(418)));
    try (Service.Running service = start(server.port())) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> service.part(LatestReport.class).get().isPresent());
      service.part(Notifier.class).breaker(true, "a test");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> said(lines).contains("receiver platform does not accept messages"));
    } finally {
      root.detachAppender(lines);
      server.stop();
    }

    assertThat(said(lines))
        .contains("nothing is known of any GPU", "418")
        .doesNotContain(TOKEN, HOOK);
  }

  private Service.Running start(int port) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    String base = "http://127.0.0.1:" + port;
    Path url = Files.writeString(folder.resolve("url"), base + "/services/" + HOOK);
    Path headers = Files.writeString(folder.resolve("headers"), "Authorization: Bearer " + TOKEN);
    Path notify =
        Files.writeString(
            folder.resolve("notify.yaml"),
            "receivers: [{name: platform, url-file: \""
                + url
                + "\", headers-file: \""
                + headers
                + "\"}]");
    Service service =
        Service.start(
            "gpu-reclaimer",
            Map.of(
                "micronaut.server.port",
                0,
                "reclaimer.cluster",
                "embedded",
                "reclaimer.schedule",
                "true",
                "reclaimer.interval",
                "1s",
                "prometheus.url",
                base,
                "prometheus.bearer-token-file",
                token.toString(),
                "notify.file",
                notify.toString()),
            new SimulatedCluster(Clock.systemUTC()),
            SimulatedLeadership.alone("test"));
    if (service instanceof Service.Running running) {
      return running;
    }
    throw new AssertionError(service);
  }

  private static String said(ListAppender<ILoggingEvent> lines) {
    var text = new StringBuilder();
    for (ILoggingEvent line : List.copyOf(lines.list)) {
      text.append(line.getFormattedMessage()).append('\n');
      if (line.getThrowableProxy() != null) {
        text.append(ThrowableProxyUtil.asString(line.getThrowableProxy())).append('\n');
      }
    }
    return text.toString();
  }
}
