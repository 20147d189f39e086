package io.gpureclaimer.reclaimer.evidence.source;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the source trusts. */
class PrometheusSourceTlsIT {
  private static final String PASSWORD = "password";

  @TempDir private static Path directory;
  private static WireMockServer server;
  private static Path itsCertificate;
  private static Path anotherCertificate;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    itsCertificate = certificate("server");
    anotherCertificate = certificate("another");
    server =
        new WireMockServer(
            options()
                .dynamicPort()
                .dynamicHttpsPort()
                .keystorePath(directory.resolve("server.p12").toString())
                .keystoreType("PKCS12")
                .keystorePassword(PASSWORD)
                .keyManagerPassword(PASSWORD));
    server.start();
    server.stubFor(
        any(anyUrl())
            .willReturn(
                ok("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}")));
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  @Test
  void trustsTheCertificatesInTheFile() {
    assertThat(source(Optional.of(itsCertificate)).fetchAll()).isInstanceOf(Seen.class);
  }

  @Test
  void isBlind_whenTheCertificateIsNotTrusted() {
    assertThat(source(Optional.empty()).fetchAll()).satisfies(PrometheusSourceTlsIT::isTlsFailure);
    assertThat(source(Optional.of(anotherCertificate)).fetchAll())
        .satisfies(PrometheusSourceTlsIT::isTlsFailure);
  }

  @Test
  void followsTheFile_whenItChanges() throws IOException {
    Path file = Files.copy(anotherCertificate, directory.resolve("changing.pem"));
    PrometheusSource source = source(Optional.of(file));

    assertThat(source.fetchAll()).isInstanceOf(Blind.class);
    Files.writeString(file, Files.readString(itsCertificate));
    assertThat(source.fetchAll()).isInstanceOf(Seen.class);
  }

  @Test
  void isBlind_whenTheFileHoldsNoCertificate() throws IOException {
    Path file = Files.writeString(directory.resolve("not.pem"), "hello\n");

    assertThat(source(Optional.of(file)).fetchAll())
        .asString()
        .contains("expected CA certificates in " + file + ", found ");
    assertThat(source(Optional.of(directory.resolve("none"))).fetchAll())
        .asString()
        .contains("expected CA certificates in ", "found no such file");
  }

  @Test
  void isBlind_whenAPlainPortIsAskedForTls() {
    var connection =
        PrometheusConnection.to(
            URI.create("https://127.0.0.1:" + server.port()), Duration.ofSeconds(10));

    assertThat(new PrometheusSource(connection, Clock.systemUTC()).fetchAll())
        .isInstanceOf(Blind.class);
  }

  private static void isTlsFailure(Observation observation) {
    assertThat(observation)
        .asString()
        .contains("https://127.0.0.1:", "expected an answer, found a TLS failure: ");
  }

  private static PrometheusSource source(Optional<Path> caFile) {
    return new PrometheusSource(
        new PrometheusConnection(
            URI.create("https://127.0.0.1:" + server.httpsPort()),
            new Credentials.Anonymous(),
            caFile,
            Duration.ofSeconds(10),
            Optional.empty()),
        Clock.systemUTC());
  }

  /** Makes a key store of the name, and returns its certificate as PEM. */
  private static Path certificate(String name) throws IOException, InterruptedException {
    String store = directory.resolve(name + ".p12").toString();
    Path certificate = directory.resolve(name + ".pem");
    keytool(
        "-genkeypair",
        "-alias",
        "it",
        "-keyalg",
        "EC",
        "-validity",
        "2",
        "-dname",
        "CN=" + name,
        "-ext",
        "SAN=ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-keystore",
        store,
        "-storepass",
        PASSWORD);
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        "it",
        "-keystore",
        store,
        "-storepass",
        PASSWORD,
        "-file",
        certificate.toString());
    return certificate;
  }

  private static void keytool(String... arguments) throws IOException, InterruptedException {
    var command = new java.util.ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(java.util.List.of(arguments));
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).as("keytool").isZero();
  }
}
