package io.gpureclaimer.reclaimer.evidence.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A real Mimir with several tenants: a query sees only the tenants that it names. */
@Tag("nightly")
@EnabledIf("isPossible")
class MimirIT {
  @TempDir private static Path directory;
  private static URI address;
  private static ServerProcess mimir;

  static boolean isPossible() {
    return PrometheusCompatibleServer.MIMIR.isHere();
  }

  @BeforeAll
  static void start() throws IOException {
    address = URI.create("http://" + ServerProcess.freeAddress());
    mimir = MimirProcess.process(directory, address, "-tenant-federation.enabled=true");
    write("research", "one");
    write("production", "other");
  }

  @AfterAll
  static void stop() {
    mimir.close();
  }

  @Test
  void seesTheTenantThatIsNamed_alone() {
    assertThat(seen("research").pods()).containsOnlyKeys("one");
    assertThat(seen("production").pods()).containsOnlyKeys("other");
    assertThat(seen("missing").pods()).isEmpty();
  }

  @Test
  void seesTenantsTogether_whereTheyAreFederated() {
    Seen seen = seen("production|research");

    assertThat(seen.pods()).containsOnlyKeys("one", "other");
    assertThat(seen.oddities()).isEmpty();
  }

  @Test
  void isBlind_withoutATenant_andSaysSo() {
    assertThat(look(Optional.empty()))
        .isEqualTo(
            new Blind(
                "POST "
                    + address
                    + "/prometheus/api/v1/query: expected HTTP 200, found HTTP 401: no org id"));
  }

  private static Seen seen(String tenant) {
    Observation look = look(Optional.of(tenant));
    assertThat(look).isInstanceOf(Seen.class);
    return (Seen) look;
  }

  private static Observation look(Optional<String> tenant) {
    var connection =
        new PrometheusConnection(
            URI.create(address + "/prometheus"),
            new Credentials.Anonymous(),
            Optional.empty(),
            Duration.ofSeconds(10),
            tenant);
    return new PrometheusSource(connection, Clock.systemUTC()).fetchAll();
  }

  private static void write(String tenant, String pod) {
    RemoteWrite.send(
        Backfill.ofIdlePods(Clock.systemUTC().instant(), pod).written(),
        URI.create(address + MimirProcess.PUSH),
        Map.of("X-Scope-OrgID", tenant),
        200);
  }
}
