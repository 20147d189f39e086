package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpureclaimer.exporter.web.WebSettings.ClientAuthentication;
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
  void hasNoSettings_whenItIsEmpty(String text) {
    assertThat(parse(text)).isEqualTo(new WebSettings(Optional.empty(), Map.of(), Map.of()));
  }

  @Test
  void readsAllSettings() {
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
  void speaksTheVersionsWithinTheBounds(String bounds, String protocols) {
    assertThat(
            parse("tls_server_config: {cert_file: c, key_file: k, " + bounds + "}")
                .tls()
                .orElseThrow()
                .protocols())
        .containsExactly(protocols.split(" ", -1));
  }

  @Test
  void takesTheOlderNameOfAClientAuthType() {
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
          [1]                                             | must be a mapping
          x: 1                                            | x is no known key; known are basic_auth_users, http_server_config, tls_server_config
          rate_limit: {interval: 1s, burst: 20}           | rate_limit is not supported: limit requests in front of the agent
          tls_server_config: {cert: a}                    | tls_server_config.cert is not supported: name a file with cert_file
          tls_server_config: {key: a}                     | tls_server_config.key is not supported: name a file with key_file
          tls_server_config: {client_ca: a}               | tls_server_config.client_ca is not supported: name a file with client_ca_file
          tls_server_config: {client_allowed_sans: [c]}   | tls_server_config.client_allowed_sans is not supported: restrict clients by the authority in client_ca_file
          tls_server_config: {cipher_suites: [X]}         | tls_server_config.cipher_suites is not supported: the JVM's own cipher suites are used
          tls_server_config: {curve_preferences: [X]}     | tls_server_config.curve_preferences is not supported: the JVM's own curves are used
          tls_server_config: {prefer_server_cipher_suites: false} | tls_server_config.prefer_server_cipher_suites must be true or absent: no other is supported
          tls_server_config: {cert_file: a}               | tls_server_config.key_file must be given
          tls_server_config: {key_file: a}                | tls_server_config.cert_file must be given
          tls_server_config: {cert_file: [a], key_file: b} | tls_server_config.cert_file must be a text, was a list of 1
          tls_server_config: {ciphers: []}                | tls_server_config.ciphers is no known key; known are cert_file, client_auth_type, client_ca_file, key_file, max_version, min_version, prefer_server_cipher_suites
          tls_server_config: {client_auth_type: Maybe}    | tls_server_config.client_auth_type must be one of NoClientCert, RequestClientCert, RequireAnyClientCert, VerifyClientCertIfGiven, RequireAndVerifyClientCert, was Maybe
          tls_server_config: {cert_file: a, key_file: b, client_ca_file: c} | tls_server_config.client_auth_type must ask for certificates when client_ca_file is given
          tls_server_config: {min_version: SSL3}          | tls_server_config.min_version must be one of TLS10, TLS11, TLS12, TLS13, was SSL3
          tls_server_config: {cert_file: a, key_file: b, min_version: TLS13, max_version: TLS12} | tls_server_config.min_version must not be newer than max_version
          tls_server_config: {cert_file: a, key_file: b, max_version: TLS11} | tls_server_config.max_version must be TLS12 or TLS13, the versions that the JVM speaks
          tls_server_config: {prefer_server_cipher_suites: x} | tls_server_config.prefer_server_cipher_suites must be true or false, was "x"
          http_server_config: {http2: maybe}              | http_server_config.http2 must be true or false, was "maybe"
          http_server_config: {headers: {Server: x}}      | http_server_config.headers.Server is no known key; known are Content-Security-Policy, Strict-Transport-Security, X-Content-Type-Options, X-Frame-Options, X-XSS-Protection
          http_server_config: {headers: {X-Frame-Options: x}} | http_server_config.headers.X-Frame-Options must not be x
          basic_auth_users: {alice: secret}               | basic_auth_users.alice must be a bcrypt hash, as htpasswd -B makes it
          basic_auth_users: {alice: $2$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG} | basic_auth_users.alice must be a bcrypt hash, as htpasswd -B makes it
          basic_auth_users: {alice: }                     | basic_auth_users.alice must be a bcrypt hash, as htpasswd -B makes it
          basic_auth_users: [alice]                       | basic_auth_users must be a mapping
          basic_auth_users: alice:secret                  | basic_auth_users must be a mapping
          tls_server_config: {cert_file: }                | tls_server_config.cert_file must be given
          a: b: c                                         | is neither YAML nor JSON: mapping values are not allowed here
          """)
  void namesWhatIsWrong(String text, String problem) {
    assertThatExceptionOfType(InvalidWebConfig.class)
        .isThrownBy(() -> parse(text))
        .extracting(e -> e.problem().replaceFirst("^web\\.yml:1:[0-9]+:? ", ""))
        .isEqualTo(problem);
  }

  @Test
  void namesTheLine() {
    var error =
        catchThrowableOfType(
            InvalidWebConfig.class, () -> parse("http_server_config:\n  headers:\n    X: 1\n"));

    assertThat(error.problem())
        .startsWith("web.yml:3:5: http_server_config.headers.X is no known key; ");
  }

  @Test
  void refusesAKeyThatIsGivenTwice() {
    var error =
        catchThrowableOfType(
            InvalidWebConfig.class,
            () -> parse("basic_auth_users:\n  a: %s\n  a: %s\n".replace("%s", HASH)));

    assertThat(error.problem())
        .isEqualTo("web.yml:3:3: basic_auth_users.a must be given once, is there again");
  }

  private static WebSettings parse(String text) {
    return WebConfigParser.parse(FOLDER.resolve("web.yml"), text);
  }
}
