package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.Certificates;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** Whatever stands in a web configuration file, it is understood or refused in one line. */
class WebConfigParserPropertyTest {
  private static final Path FOLDER = Path.of("/etc/web");

  /** Pieces that bring a text past the first checks. */
  private static final List<String> PIECES =
      List.of(
          "tls_server_config:",
          "http_server_config:",
          "basic_auth_users:",
          "headers:",
          "cert_file: a",
          "key_file: b",
          "key: |",
          "client_ca_file: c",
          "client_auth_type: RequireAnyClientCert",
          "min_version: TLS13",
          "cipher_suites: [TLS_AES_128_GCM_SHA256]",
          "curve_preferences:",
          "- X25519",
          "http2: false",
          "alice: $2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG",
          "X-Frame-Options: deny",
          "\n",
          "\n  ",
          "\n    ",
          "&a",
          "*a",
          "<<: *a",
          "!!java.lang.String",
          "{",
          "}",
          "[",
          "]",
          "'",
          "\"",
          "?",
          ": ",
          "---",
          "%YAML 9",
          "\0",
          "\u0085",
          "\ud800");

  @Property
  @Tag("fuzz")
  void understandsOrRefusesAnyText(@ForAll String text) {
    understandOrRefuse(text);
  }

  @Property
  @Tag("fuzz")
  void understandsOrRefusesWhatLooksLikeOne(@ForAll("nearlyRight") String text) {
    understandOrRefuse(text);
  }

  @Property
  @Tag("fuzz")
  void readsOrRefusesAnyKey(@ForAll byte[] der, @ForAll("keyLabels") String label) {
    try {
      PrivateKeyPem.read("K", Certificates.pem(label, der));
    } catch (InvalidWebConfig e) {
      assertThat(e.problem()).startsWith("K ").hasLineCount(1);
    }
  }

  @Provide
  Arbitrary<String> nearlyRight() {
    return Arbitraries.of(PIECES).list().ofMaxSize(24).map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<String> keyLabels() {
    return Arbitraries.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY");
  }

  private static void understandOrRefuse(String text) {
    try {
      WebConfigParser.parse(FOLDER.resolve("web.yml"), text);
    } catch (InvalidWebConfig e) {
      assertThat(e.problem()).isNotBlank().hasLineCount(1);
    }
  }
}
