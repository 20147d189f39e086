package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpureclaimer.exporter.web.Pem.InFile;
import io.gpureclaimer.exporter.web.Pem.Inline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebGrammarTest {
  private static final Path FOLDER = Path.of("/etc/web");
  private static final String HASH = "$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG";

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "{}", "tls_server_config:\nbasic_auth_users:\n"})
  void saysNothing_whenItIsEmpty(String text) throws Refusal {
    assertThat(parse(text))
        .isEqualTo(new WebSettings(Optional.empty(), true, Map.of(), Optional.empty(), Map.of()));
  }

  @Test
  void saysEverything() throws Refusal {
    assertThat(
            parse(
                """
                tls_server_config:
                  cert_file: tls/server.crt
                  key_file: /run/server.key
                  client_auth_type: RequireAndVerifyClientCert
                  client_ca_file: ca.crt
                  client_allowed_sans: [prometheus.example, "::1"]
                  min_version: TLS13
                  max_version: TLS13
                  cipher_suites:
                    - TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
                  prefer_server_cipher_suites: false
                  curve_preferences: [X25519, CurveP256]
                http_server_config:
                  http2: false
                  headers:
                    X-Frame-Options: sameorigin
                    Strict-Transport-Security: max-age=1
                rate_limit: {interval: 1.5s, burst: 20}
                basic_auth_users:
                  alice: %s
                  "1": %s
                """
                    .replace("%s", HASH)))
        .isEqualTo(
            new WebSettings(
                Optional.of(
                    new TlsSettings(
                        new InFile(
                            "tls_server_config.cert_file", Path.of("/etc/web/tls/server.crt")),
                        new InFile("tls_server_config.key_file", Path.of("/run/server.key")),
                        ClientAuthentication.REQUIRE_AND_VERIFY,
                        Optional.of(
                            new InFile(
                                "tls_server_config.client_ca_file", Path.of("/etc/web/ca.crt"))),
                        List.of("prometheus.example", "::1"),
                        TlsVersion.TLS13,
                        TlsVersion.TLS13,
                        List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
                        List.of("x25519", "secp256r1"),
                        false)),
                false,
                Map.of("X-Frame-Options", "sameorigin", "Strict-Transport-Security", "max-age=1"),
                Optional.of(new RateLimit(Duration.ofMillis(1500), 20)),
                Map.of("alice", HASH, "1", HASH)));
  }

  @Test
  void takesCertificatesThatStandInTheFileItself() throws Refusal {
    var tls = parse("tls_server_config: {cert: C, key: K}").tls().orElseThrow();

    assertThat(tls.certificate()).isEqualTo(new Inline("tls_server_config.cert", "C"));
    assertThat(tls.key()).isEqualTo(new Inline("tls_server_config.key", "K"));
    assertThat(tls.clients()).isEqualTo(ClientAuthentication.NONE);
    assertThat(tls.oldest()).isEqualTo(TlsVersion.TLS12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rate_limit:", "rate_limit: {burst: 1}", "rate_limit: {interval: 0}"})
  void limitsNothing_withoutAnInterval(String text) throws Refusal {
    assertThat(parse(text).rate()).isEmpty();
  }

  @Test
  void takesTheOlderNameOfAClientAuthType() throws Refusal {
    assertThat(
            parse("tls_server_config: {cert: C, key: K, client_auth_type: RequireClientCert}")
                .tls()
                .orElseThrow()
                .clients())
        .isEqualTo(ClientAuthentication.REQUIRE_ANY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [1]                                             | line 1: the file must be a mapping
          x: 1                                            | line 1: x is not known
          rate_limit: {per: 1s}                           | line 1: rate_limit.per is not known
          rate_limit: {interval: 1, burst: 1}             | line 1: rate_limit.interval must be a duration like 1s or 500ms, was 1
          rate_limit: {interval: -1s, burst: 1}           | line 1: rate_limit.interval must be a duration like 1s or 500ms, was -1s
          rate_limit: {interval: 1s}                      | rate_limit.burst must be at least 1, or no request is ever answered
          rate_limit: {interval: 1s, burst: many}         | line 1: rate_limit.burst must be a whole number, was many
          tls_server_config: {cert_file: a}               | tls_server_config.key_file must be given
          tls_server_config: {key_file: a}                | tls_server_config.cert_file must be given
          tls_server_config: {cert_file: a, cert: b, key: c} | line 1: tls_server_config.cert must not be given together with cert_file
          tls_server_config: {cert_file: [a], key_file: b} | line 1: tls_server_config.cert_file must be a text
          tls_server_config: {ciphers: []}                | line 1: tls_server_config.ciphers is not known
          tls_server_config: {client_auth_type: Maybe}    | line 1: tls_server_config.client_auth_type must be one of NoClientCert, RequestClientCert, RequireAnyClientCert, VerifyClientCertIfGiven, RequireAndVerifyClientCert, was Maybe
          tls_server_config: {cert: a, key: b, client_allowed_sans: [c]} | tls_server_config.client_auth_type must ask for certificates when client_allowed_sans is given
          tls_server_config: {cert: a, key: b, client_ca_file: c} | tls_server_config.client_auth_type must ask for certificates when client_ca_file is given
          tls_server_config: {min_version: SSL3}          | line 1: tls_server_config.min_version must be one of TLS10, TLS11, TLS12, TLS13, was SSL3
          tls_server_config: {min_version: TLS13, max_version: TLS12} | line 1: tls_server_config.min_version must not be newer than max_version TLS12
          tls_server_config: {cert: a, key: b, cipher_suites: [X]} | line 1: tls_server_config.cipher_suites must be suites that this JVM speaks, has X
          tls_server_config: {cert: a, key: b, curve_preferences: [X]} | line 1: tls_server_config.curve_preferences must be among CurveP256, CurveP384, CurveP521, X25519, has X
          tls_server_config: {cert: a, key: b, prefer_server_cipher_suites: x} | line 1: tls_server_config.prefer_server_cipher_suites must be true or false, was x
          http_server_config: {http2: maybe}              | line 1: http_server_config.http2 must be true or false, was maybe
          http_server_config: {headers: {Server: x}}      | line 1: http_server_config.headers.Server is not known
          http_server_config: {headers: {X-Frame-Options: x}} | line 1: http_server_config.headers.X-Frame-Options must not be x
          basic_auth_users: {alice: secret}               | line 1: basic_auth_users.alice must be a bcrypt hash, as htpasswd -B makes it
          basic_auth_users: {alice: $2$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG} | line 1: basic_auth_users.alice must be a bcrypt hash, as htpasswd -B makes it
          basic_auth_users: {alice: }                     | line 1: basic_auth_users.alice must be a bcrypt hash, as htpasswd -B makes it
          basic_auth_users: [alice]                       | line 1: basic_auth_users must be a mapping
          a: b: c                                         | line 1: not YAML: mapping values are not allowed here
          """)
  void namesWhatIsWrong(String text, String problem) {
    assertThatExceptionOfType(Refusal.class)
        .isThrownBy(() -> parse(text))
        .extracting(Refusal::problem)
        .isEqualTo(problem);
  }

  @Test
  void namesTheLine() {
    var refusal =
        catchThrowableOfType(
            Refusal.class, () -> parse("http_server_config:\n  headers:\n    X: 1\n"));

    assertThat(refusal.problem()).isEqualTo("line 3: http_server_config.headers.X is not known");
  }

  @Test
  void refusesAKeyThatIsGivenTwice() {
    var refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> parse("basic_auth_users:\n  a: %s\n  a: %s\n".replace("%s", HASH)));

    assertThat(refusal.problem()).isEqualTo("line 3: basic_auth_users.a must be given once");
  }

  private static WebSettings parse(String text) throws Refusal {
    return WebGrammar.parse(text, FOLDER);
  }
}
