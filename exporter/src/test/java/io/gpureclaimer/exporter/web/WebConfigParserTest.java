package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpureclaimer.exporter.web.WebSettings.PemFile;
import io.gpureclaimer.exporter.web.WebSettings.Tls;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebConfigParserTest {
  private static final Path FOLDER = Path.of("/etc/web");
  private static final String HASH = "$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing\n",
        "{}",
        "tls_server_config:\nbasic_auth_users:\n",
        "http_server_config: {http2: false}",
        "http_server_config: {http2: true}"
      })
  void hasNoSettings_whenItIsEmpty(String text) throws InvalidWebConfig {
    assertThat(parse(text)).isEqualTo(new WebSettings(Optional.empty(), Map.of(), Map.of()));
  }

  @Test
  void readsAllSettings() throws InvalidWebConfig {
    assertThat(
            parse(
                """
                tls_server_config:
                  cert_file: tls/server.crt
                  key_file: /run/server.key
                  client_auth_type: RequireAndVerifyClientCert
                  client_ca_file: ca.crt
                  min_version: TLS13
                  max_version: TLS13
                  prefer_server_cipher_suites: true
                http_server_config:
                  http2: false
                  headers:
                    X-Frame-Options: sameorigin
                    Strict-Transport-Security: max-age=1
                basic_auth_users:
                  alice: %s
                  "1": %s
                """
                    .replace("%s", HASH)))
        .isEqualTo(
            new WebSettings(
                Optional.of(
                    new Tls(
                        new PemFile(
                            "tls_server_config.cert_file", Path.of("/etc/web/tls/server.crt")),
                        new PemFile("tls_server_config.key_file", Path.of("/run/server.key")),
                        ClientAuthentication.REQUIRE_AND_VERIFY,
                        Optional.of(
                            new PemFile(
                                "tls_server_config.client_ca_file", Path.of("/etc/web/ca.crt"))),
                        List.of("TLSv1.3"))),
                Map.of("X-Frame-Options", "sameorigin", "Strict-Transport-Security", "max-age=1"),
                Map.of("alice", HASH, "1", HASH)));
  }

  @ParameterizedTest
  @CsvSource({
    "'', TLSv1.2 TLSv1.3",
    "'min_version: TLS10', TLSv1.2 TLSv1.3",
    "'min_version: TLS12', TLSv1.2 TLSv1.3",
    "'min_version: TLS13', TLSv1.3",
    "'max_version: TLS12', TLSv1.2"
  })
  void speaksTheVersionsWithinTheBounds(String bounds, String protocols) throws InvalidWebConfig {
    assertThat(
            parse("tls_server_config: {cert_file: c, key_file: k, " + bounds + "}")
                .tls()
                .orElseThrow()
                .protocols())
        .containsExactly(protocols.split(" ", -1));
  }

  @Test
  void takesTheOlderNameOfAClientAuthType() throws InvalidWebConfig {
    assertThat(
            parse(
                    "tls_server_config: {cert_file: C, key_file: K, client_auth_type: RequireClientCert}")
                .tls()
                .orElseThrow()
                .clientAuthentication())
        .isEqualTo(ClientAuthentication.REQUIRE_ANY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [1]                                             | line 1: the file must be a mapping
          x: 1                                            | line 1: x is not known
          rate_limit: {interval: 1s, burst: 20}           | line 1: rate_limit is not supported: limit requests in front of the agent
          tls_server_config: {cert: a}                    | line 1: tls_server_config.cert is not supported: name a file with cert_file
          tls_server_config: {key: a}                     | line 1: tls_server_config.key is not supported: name a file with key_file
          tls_server_config: {client_ca: a}               | line 1: tls_server_config.client_ca is not supported: name a file with client_ca_file
          tls_server_config: {client_allowed_sans: [c]}   | line 1: tls_server_config.client_allowed_sans is not supported: restrict clients by the authority in client_ca_file
          tls_server_config: {cipher_suites: [X]}         | line 1: tls_server_config.cipher_suites is not supported: the JVM's own cipher suites are used
          tls_server_config: {curve_preferences: [X]}     | line 1: tls_server_config.curve_preferences is not supported: the JVM's own curves are used
          tls_server_config: {prefer_server_cipher_suites: false} | line 1: tls_server_config.prefer_server_cipher_suites must be true or absent: no other is supported
          tls_server_config: {cert_file: a}               | tls_server_config.key_file must be given
          tls_server_config: {key_file: a}                | tls_server_config.cert_file must be given
          tls_server_config: {cert_file: [a], key_file: b} | line 1: tls_server_config.cert_file must be a text
          tls_server_config: {ciphers: []}                | line 1: tls_server_config.ciphers is not known
          tls_server_config: {client_auth_type: Maybe}    | line 1: tls_server_config.client_auth_type must be one of NoClientCert, RequestClientCert, RequireAnyClientCert, VerifyClientCertIfGiven, RequireAndVerifyClientCert, was Maybe
          tls_server_config: {cert_file: a, key_file: b, client_ca_file: c} | tls_server_config.client_auth_type must ask for certificates when client_ca_file is given
          tls_server_config: {min_version: SSL3}          | line 1: tls_server_config.min_version must be one of TLS10, TLS11, TLS12, TLS13, was SSL3
          tls_server_config: {cert_file: a, key_file: b, min_version: TLS13, max_version: TLS12} | line 1: tls_server_config.min_version must not be newer than max_version
          tls_server_config: {cert_file: a, key_file: b, max_version: TLS11} | line 1: tls_server_config.max_version must be TLS12 or TLS13, the versions that the JVM speaks
          tls_server_config: {prefer_server_cipher_suites: x} | line 1: tls_server_config.prefer_server_cipher_suites must be true or false, was x
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
    assertThatExceptionOfType(InvalidWebConfig.class)
        .isThrownBy(() -> parse(text))
        .extracting(InvalidWebConfig::problem)
        .isEqualTo(problem);
  }

  @Test
  void namesTheLine() {
    var error =
        catchThrowableOfType(
            InvalidWebConfig.class, () -> parse("http_server_config:\n  headers:\n    X: 1\n"));

    assertThat(error.problem()).isEqualTo("line 3: http_server_config.headers.X is not known");
  }

  @Test
  void refusesAKeyThatIsGivenTwice() {
    var error =
        catchThrowableOfType(
            InvalidWebConfig.class,
            () -> parse("basic_auth_users:\n  a: %s\n  a: %s\n".replace("%s", HASH)));

    assertThat(error.problem()).isEqualTo("line 3: basic_auth_users.a must be given once");
  }

  private static WebSettings parse(String text) throws InvalidWebConfig {
    return WebConfigParser.parse(text, FOLDER);
  }
}
