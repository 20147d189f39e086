package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.exporter.Certificates.Identity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole agent behind a web configuration file: TLS, client certificates, passwords. */
class WebConfigIT {
  private static final String TLS = "tls_server_config: {cert_file: s.crt, key_file: s.key%s}\n";

  @TempDir private static Path keys;
  private static Identity server;
  private static Identity client;
  private static Identity stranger;

  @TempDir Path folder;
  private Service.@Nullable Running agent;

  @BeforeAll
  static void makeIdentities() throws Exception {
    server = Certificates.make(keys, "server", "EC");
    client = Certificates.make(keys, "client", "RSA");
    stranger = Certificates.make(keys, "stranger", "RSA");
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  @Test
  void speaksHttp11OverTls_alsoToClientsThatOfferHttp2() throws Exception {
    start(tls(""));

    var answer = get(client(Certificates.clientOf(server)).version(Version.HTTP_2), "/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.version()).isEqualTo(Version.HTTP_1_1);
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
  }

  @Test
  void speaksNoPlainHttp_whenTlsIsOn() throws Exception {
    start(tls(""));

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> client(null).build().send(request("http", "/health"), text()));
  }

  @ParameterizedTest
  @CsvSource({
    "NoClientCert, true, true, true",
    "RequestClientCert, true, true, true",
    "RequireAnyClientCert, false, true, true",
    "VerifyClientCertIfGiven, true, false, true",
    "RequireAndVerifyClientCert, false, false, true"
  })
  void asksClientsForCertificates(String type, boolean none, boolean unknown, boolean known)
      throws Exception {
    client.writtenTo(folder, "client");
    String ca = type.equals("NoClientCert") ? "" : ", client_ca_file: client.crt";
    start(tls(", client_auth_type: " + type + ca));

    assertThat(answers(Certificates.clientOf(server))).as("without one").isEqualTo(none);
    assertThat(answers(stranger.asClientOf(server))).as("with any").isEqualTo(unknown);
    assertThat(answers(client.asClientOf(server))).as("with a good one").isEqualTo(known);
  }

  @Test
  void refusesOlderTls_whenANewerOneIsDemanded() throws Exception {
    start(tls(", min_version: TLS13"));
    assertThat(answers(Certificates.clientOf(server))).isTrue();
    var old = Certificates.clientOf(server).getDefaultSSLParameters();
    old.setProtocols(new String[] {"TLSv1.2"});

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () ->
                client(Certificates.clientOf(server))
                    .sslParameters(old)
                    .build()
                    .send(request("https", "/health"), text()));
  }

  @Test
  void servesTheNewCertificate_whenTheFilesChange_andKeepsItWhenTheyBreak() throws Exception {
    start(tls(""));
    assertThat(answers(Certificates.clientOf(server))).isTrue();

    stranger.writtenTo(folder, "s");
    await().until(() -> answers(Certificates.clientOf(stranger)));
    assertThat(answers(Certificates.clientOf(server))).isFalse();

    Files.writeString(folder.resolve("s.crt"), "no certificate");
    await()
        .until(
            () -> get(client(Certificates.clientOf(stranger)), "/metrics").body(),
            body -> body.contains("gpu_exporter_web_config_last_reload_successful 0.0"));
    server.writtenTo(folder, "s");
    await().until(() -> answers(Certificates.clientOf(server)));
  }

  @Test
  void refusesClientsWithoutThePassword() throws Exception {
    start("basic_auth_users: {prometheus: " + hash("secret") + "}\n");

    for (String path : new String[] {"/metrics", "/health", "/ready", "/", "/nope"}) {
      var refused = client(null).build().send(request("http", path), text());
      assertThat(refused.statusCode()).as(path).isEqualTo(401);
      assertThat(refused.body()).isEqualTo("401 Unauthorized\n");
      assertThat(refused.headers().firstValue("WWW-Authenticate"))
          .hasValue("Basic realm=\"gpu-exporter\", charset=\"UTF-8\"");
      assertThat(refused.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }
    assertThat(status("/metrics", "prometheus", "wrong")).isEqualTo(401);
    assertThat(status("/metrics", "unknown-user", "secret")).isEqualTo(401);
    assertThat(status("/metrics", "prometheus", "secret")).isEqualTo(200);
    assertThat(status("/metrics", "prometheus", "secret")).as("again").isEqualTo(200);
    assertThat(status("/nope", "prometheus", "secret")).isEqualTo(404);
  }

  @Test
  void letsProbesIn_whenConfigured() throws Exception {
    start(
        "basic_auth_users: {prometheus: " + hash("secret") + "}\n",
        Map.of("web.open-health", true));

    assertThat(client(null).build().send(request("http", "/health"), text()).statusCode())
        .isEqualTo(200);
    assertThat(client(null).build().send(request("http", "/metrics"), text()).statusCode())
        .isEqualTo(401);
  }

  /** With the default settings. */
  @Test
  void takesTheNewPassword_whenTheFileChanges() throws Exception {
    start(
        "basic_auth_users: {prometheus: " + hash("secret") + "}\n",
        Map.of("web.refresh-after", "5s"));
    assertThat(status("/health", "prometheus", "secret")).isEqualTo(200);

    write("basic_auth_users: {prometheus: " + hash("other") + "}\n");

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> status("/health", "prometheus", "other") == 200);
    assertThat(status("/health", "prometheus", "secret")).isEqualTo(401);
  }

  @Test
  void addsTheHeadersThatAreSet() throws Exception {
    start("http_server_config: {headers: {X-Frame-Options: deny, X-XSS-Protection: \"\"}}\n");

    var headers = client(null).build().send(request("http", "/health"), text()).headers();

    assertThat(headers.firstValue("X-Frame-Options")).hasValue("deny");
    assertThat(headers.firstValue("X-XSS-Protection")).isEmpty();
  }

  @Test
  void doesNotStart_whenTheFileIsWrong() throws Exception {
    write("tls_server_config:\n  cert_file: s.crt\n  key_file: no.key\n");

    assertThat(Service.start("gpu-exporter", properties()))
        .isEqualTo(
            new Service.Misconfigured(
                "web configuration "
                    + folder.resolve("web.yml")
                    + ": tls_server_config.key_file "
                    + folder.resolve("no.key")
                    + ": no such file"));
  }

  @Test
  void listensOnIpv6_andOnIpv4WithIt() throws Exception {
    write("");
    var properties = properties();
    properties.put("micronaut.server.host", "::");
    agent = (Service.Running) Service.start("gpu-exporter", properties);

    for (String host : new String[] {"[::1]", "127.0.0.1"}) {
      var request =
          HttpRequest.newBuilder(URI.create("http://" + host + ":" + agent.port() + "/health"));
      assertThat(client(null).build().send(request.build(), text()).statusCode()).isEqualTo(200);
    }
  }

  private String tls(String more) {
    return TLS.replace("%s", more);
  }

  private void start(String config) throws IOException, GeneralSecurityException {
    start(config, Map.of());
  }

  private void start(String config, Map<String, Object> more)
      throws IOException, GeneralSecurityException {
    write(config);
    var properties = properties();
    properties.putAll(more);
    var started = Service.start("gpu-exporter", properties);
    assertThat(started).isInstanceOf(Service.Running.class);
    agent = (Service.Running) started;
  }

  private void write(String config) throws IOException, GeneralSecurityException {
    server.writtenTo(folder, "s");
    Files.writeString(folder.resolve("web.yml"), config);
  }

  private Map<String, Object> properties() {
    return new HashMap<>(
        Map.of(
            "micronaut.server.host", "127.0.0.1",
            "micronaut.server.port", 0,
            "sampling.interval", "100ms",
            "simulation.profile", "t4x4",
            "web.config-file", folder.resolve("web.yml").toString(),
            "web.refresh-after", "100ms"));
  }

  private boolean answers(SSLContext context) throws InterruptedException {
    try {
      return get(client(context), "/health").statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  private HttpResponse<String> get(HttpClient.Builder client, String path)
      throws IOException, InterruptedException {
    return client.build().send(request("https", path), text());
  }

  private int status(String path, String user, String password)
      throws IOException, InterruptedException {
    String both = user + ":" + password;
    var request =
        HttpRequest.newBuilder(uri("http", path))
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    return client(null).build().send(request.build(), text()).statusCode();
  }

  private HttpRequest request(String scheme, String path) {
    return HttpRequest.newBuilder(uri(scheme, path)).timeout(Duration.ofSeconds(10)).build();
  }

  private URI uri(String scheme, String path) {
    return URI.create(
        scheme + "://127.0.0.1:" + Optional.ofNullable(agent).orElseThrow().port() + path);
  }

  private static HttpClient.Builder client(@Nullable SSLContext context) {
    var builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
    return context == null ? builder : builder.sslContext(context);
  }

  private static HttpResponse.BodyHandler<String> text() {
    return BodyHandlers.ofString();
  }

  private static String hash(String password) {
    return BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, password.toCharArray());
  }
}
