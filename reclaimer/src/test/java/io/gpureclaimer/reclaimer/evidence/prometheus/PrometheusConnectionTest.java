package io.gpureclaimer.reclaimer.evidence.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection.Credentials;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusConnectionTest {
  private static final URI BASE = URI.create("http://prometheus:9090");

  @ParameterizedTest
  @CsvSource({
    "http://prometheus:9090, http://prometheus:9090/api/v1/query",
    "http://prometheus:9090/, http://prometheus:9090/api/v1/query",
    "https://mimir/prometheus, https://mimir/prometheus/api/v1/query",
    "http://vm:8481/select/0/prometheus/, http://vm:8481/select/0/prometheus/api/v1/query"
  })
  void keepsThePathPrefix(URI base, URI query) {
    assertThat(PrometheusConnection.to(base, Duration.ofSeconds(1)).queryUri()).isEqualTo(query);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prometheus:9090",
        "ftp://prometheus",
        "http:///path",
        "http://user:secret@prometheus",
        "http://prometheus?token=secret",
        "http://prometheus#secret"
      })
  void refusesAnAddress_thatIsMoreOrLessThanAnAddress(URI base) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrometheusConnection.to(base, Duration.ofSeconds(1)))
        .withMessageContaining("the Prometheus URL must")
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("secret"));
  }

  @Test
  void refusesATimeoutOfNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrometheusConnection.to(BASE, Duration.ZERO))
        .withMessage("the Prometheus timeout must be longer than nothing, was PT0S");
  }

  @Test
  void refusesATenant_thatNoHeaderMayCarry() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PrometheusConnection(
                    BASE,
                    new Credentials.Anonymous(),
                    Optional.empty(),
                    Duration.ofSeconds(1),
                    Optional.of("a\r\nb")))
        .withMessageContaining("tenant");
  }

  @Test
  void refusesAToken_thatNoHeaderMayCarry_withoutShowingIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Credentials.BearerToken("secret\n"))
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("secret\n"));
  }

  @Test
  void refusesAUser_thatLooksLikeTwo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Credentials.BasicAuth("a:b", Path.of("password")));
  }

  @Test
  void showsNoToken() {
    assertThat(new Credentials.BearerToken("s3cr3t")).hasToString("BearerToken[token=***]");
  }
}
