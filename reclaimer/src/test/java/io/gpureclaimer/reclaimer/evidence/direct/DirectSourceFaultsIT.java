package io.gpureclaimer.reclaimer.evidence.direct;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.OBSERVED_SINCE;
import static io.gpureclaimer.reclaimer.evidence.ExposedSeries.OBSERVED_UNTIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.direct.DirectSource.AgentTargets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the source makes of agents that fail, beside one that answers. */
class DirectSourceFaultsIT {
  private static final Instant NOW = Instant.parse("2026-11-21T06:00:00Z");
  private static final Instant SINCE = NOW.minusSeconds(3_600);
  private static final String SOUND =
      ExposedSeries.text(
          List.of(
              ExposedSeries.of(OBSERVED_SINCE, "uid-1", "GPU-1", (double) SINCE.getEpochSecond()),
              ExposedSeries.of(OBSERVED_UNTIL, "uid-1", "GPU-1", (double) NOW.getEpochSecond()),
              ExposedSeries.of(ExposedSeries.BUSY, "uid-1", "GPU-1", 0)));
  private static final Map<String, PodActivity> PODS_OF_THE_SOUND_AGENT =
      Map.of(
          "uid-1",
          new PodActivity(
              "uid-1",
              List.of(
                  new DeviceActivity(
                      new GpuUuid("GPU-1"),
                      Optional.empty(),
                      SINCE,
                      NOW,
                      NOW,
                      OptionalDouble.empty()))));
  private static final WireMockServer SERVER = new WireMockServer(options().dynamicPort());

  @BeforeAll
  static void start() {
    SERVER.start();
    SERVER.stubFor(get("/sound").willReturn(ok(SOUND)));
  }

  @AfterAll
  static void stop() {
    SERVER.stop();
  }

  @Test
  void seesThePodsOfTheAgentsThatAnswer() {
    broken(aResponse().withStatus(503));

    assertThat(look("/sound", "/broken")).isEqualTo(soundBut("expected HTTP 200, found HTTP 503"));
  }

  @Test
  void isBlind_whenNoAgentAnswers() {
    broken(aResponse().withStatus(503));

    assertThat(look("/broken", "/missing"))
        .isEqualTo(
            new Blind(
                "none of 2 agents answered; agent "
                    + SERVER.url("/broken")
                    + ": expected HTTP 200, found HTTP 503"));
  }

  @Test
  void doesNotWaitForASlowAgent_longerThanTheDeadline() {
    broken(ok(SOUND).withFixedDelay(60_000));

    assertThat(look("/sound", "/broken"))
        .isEqualTo(soundBut("expected metrics within 1500 ms, found none"));
  }

  @Test
  void doesNotWaitForADrippingAgent_longerThanTheDeadline() {
    broken(ok(SOUND).withChunkedDribbleDelay(20, 60_000));

    assertThat(look("/sound", "/broken"))
        .isEqualTo(soundBut("expected metrics within 1500 ms, found none"));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void leavesOutAnAgent_whoseConnectionBreaks(Fault fault) {
    broken(aResponse().withFault(fault));

    var seen = (Seen) look("/sound", "/broken");

    assertThat(seen.pods()).isEqualTo(PODS_OF_THE_SOUND_AGENT);
    assertThat(seen.oddities())
        .singleElement()
        .asString()
        .startsWith("agent " + SERVER.url("/broken") + ": expected metrics, found ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE html>\n",
        "gpu_pod_observed_since_timestamp_seconds{pod_uid=\"u\"} 1",
        "a 1\nb one\n",
      })
  void leavesOutAnAgent_whoseAnswerIsNoWholeTextOfMetrics(String body) {
    broken(ok(body));

    var seen = (Seen) look("/sound", "/broken");

    assertThat(seen.pods()).isEqualTo(PODS_OF_THE_SOUND_AGENT);
    assertThat(seen.oddities())
        .singleElement()
        .asString()
        .contains("expected the Prometheus text format, found line ", "; its pods are not seen");
  }

  @Test
  void leavesOutAnAgent_thatSendsElsewhere() {
    broken(aResponse().withStatus(302).withHeader("Location", SERVER.url("/sound")));

    assertThat(look("/sound", "/broken")).isEqualTo(soundBut("expected HTTP 200, found HTTP 302"));
  }

  @Test
  void leavesOutAnAgent_thatCompressesUnasked() {
    broken(ok(SOUND).withHeader("Content-Encoding", "zstd"));

    assertThat(look("/sound", "/broken"))
        .isEqualTo(soundBut("expected plain text, found content encoding zstd, not asked for"));
  }

  @Test
  void leavesOutAnAgent_whereNothingListens() throws IOException {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    URI unreachable = URI.create("http://127.0.0.1:" + port + "/metrics");
    URI unknown = URI.create("http://agent.invalid:9400/metrics");

    assertThat(look(List.of(unreachable, unknown, URI.create(SERVER.url("/sound")))))
        .isEqualTo(
            reported(
                new Seen(
                    NOW,
                    PODS_OF_THE_SOUND_AGENT,
                    List.of(
                        "agent "
                            + unreachable
                            + ": expected metrics, found no process listening there; its pods are not"
                            + " seen",
                        "agent "
                            + unknown
                            + ": expected metrics, found a host name that does not resolve; its"
                            + " pods are not seen"))));
  }

  @Test
  void asksAnAgentOnce_whenItIsListedTwice() {
    SERVER.resetRequests();

    assertThat(look("/sound", "/sound"))
        .isEqualTo(reported(new Seen(NOW, PODS_OF_THE_SOUND_AGENT, List.of())));
    assertThat(SERVER.getAllServeEvents()).hasSize(1);
  }

  @Test
  void refusesAnEmptyListOfAgents() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AgentTargets(List.of(), Duration.ofSeconds(1)))
        .withMessage("there must be at least one agent to scrape, was none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1:9400", "ftp://node-1/", "http://me:secret@node-1:9400/metrics"})
  void refusesAnAddress_thatIsMoreOrLessThanAnAddress(URI url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AgentTargets(List.of(url), Duration.ofSeconds(1)))
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("secret"));
  }

  private static void broken(ResponseDefinitionBuilder answer) {
    SERVER.stubFor(get("/broken").willReturn(answer));
  }

  private static Seen soundBut(String why) {
    return reported(
        new Seen(
            NOW,
            PODS_OF_THE_SOUND_AGENT,
            List.of("agent " + SERVER.url("/broken") + ": " + why + "; its pods are not seen")));
  }

  private static Seen reported(Seen seen) {
    return seen.from(
        new FormatName("direct", "what the agents recorded, as they say themselves"),
        Optional.empty());
  }

  private static Observation look(String... paths) {
    return look(java.util.Arrays.stream(paths).map(SERVER::url).map(URI::create).toList());
  }

  private static Observation look(List<URI> agents) {
    return new DirectSource(
            new AgentTargets(agents, Duration.ofMillis(1_500)),
            Clock.fixed(NOW, ZoneOffset.UTC),
            MonotonicClock.SYSTEM,
            SignalLimits.none())
        .fetchAll();
  }
}
