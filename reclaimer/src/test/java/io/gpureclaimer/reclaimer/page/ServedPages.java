package io.gpureclaimer.reclaimer.page;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.access.FakeReviews;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedLeadership;
import io.gpureclaimer.reclaimer.cycle.SmallCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/** The program in front of a small cluster and a Prometheus, and a proxy where people sign in. */
final class ServedPages implements AutoCloseable {
  private static final String SECRET = "a-secret-of-the-proxy";

  final SmallCluster world = SmallCluster.in("always");
  final FakeReviews reviews = new FakeReviews();
  final SimulatedLeadership leadership = SimulatedLeadership.alone("replica-a");
  final SignInProxy proxy;
  private final WireMockServer prometheus = new WireMockServer(options().dynamicPort());
  private final Service.Running service;

  /**
   * Starts both.
   *
   * @param folder for the secret
   */
  ServedPages(Path folder) throws IOException {
    prometheus.start();
    prometheus.stubFor(
        post(urlPathEqualTo("/api/v1/query_range")).willReturn(okJson(utilization())));
    Path secret = Files.writeString(folder.resolve("secret"), SECRET);
    this.service =
        switch (Service.start(
            "gpu-reclaimer",
            Map.of(
                "micronaut.server.host",
                "127.0.0.1",
                "micronaut.server.port",
                0,
                "reclaimer.cluster",
                "embedded",
                "prometheus.url",
                prometheus.baseUrl(),
                "web.pages",
                "authorized",
                "web.identity.proxy-secret-file",
                secret.toString()),
            world.cluster,
            leadership,
            reviews)) {
          case Service.Running running -> running;
          case Service.Misconfigured(String problem) -> throw new AssertionError(problem);
          case Service.NotListening(String problem) -> throw new AssertionError(problem);
        };
    this.proxy = new SignInProxy(URI.create("http://127.0.0.1:" + service.port()), SECRET);
  }

  /** Runs a cycle, whose results are shown from now on. */
  void cycle() {
    show(world.cycle());
  }

  /** The program has a clock of its own, by which the report is of now. */
  void show(CycleReport report) {
    service
        .part(LatestReport.class)
        .publish(
            new CycleReport(
                service.part(Clock.class).instant(),
                report.cluster(),
                report.observation(),
                report.judgments(),
                report.postponed(),
                report.breaker(),
                report.followUps(),
                report.plan(),
                report.results()));
  }

  URI address(String path) {
    return proxy.address().resolve(path);
  }

  @Override
  public void close() {
    proxy.close();
    service.close();
    prometheus.stop();
  }

  /** Of one pod, with a gap. */
  private static String utilization() {
    long now = Instant.now().getEpochSecond();
    return String.format(
        Locale.ROOT,
        """
        {"status":"success","data":{"resultType":"matrix","result":[
          {"metric":{"namespace":"ml","pod":"warned"},
           "values":[[%d,"80"],[%d,"95"],[%d,"0"]]}]}}
        """,
        now - 7200,
        now - 6600,
        now - 600);
  }
}
