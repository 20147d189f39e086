package io.gpureclaimer.exporter.web;

import io.netty.handler.ssl.ClientAuth;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Content of a web configuration file.
 *
 * @param tls plain HTTP if empty
 * @param headers added to every answer
 * @param users bcrypt hashes of the passwords by user; no password is required if empty
 */
record WebSettings(Optional<Tls> tls, Map<String, String> headers, Map<String, String> users) {
  WebSettings {
    headers = Map.copyOf(headers);
    users = Map.copyOf(users);
  }

  /** The files that the settings name. */
  List<PemFile> pemFiles() {
    return tls.stream()
        .flatMap(
            one -> Stream.concat(Stream.of(one.certificate(), one.key()), one.clientCa().stream()))
        .toList();
  }

  /**
   * TLS settings.
   *
   * @param certificate of the server, followed by those that signed it
   * @param key private key of the certificate
   * @param clientAuthentication which client certificates are required
   * @param clientCa signers of client certificates; those that the JVM trusts if empty
   * @param protocols versions of TLS, as the JVM names them
   */
  record Tls(
      PemFile certificate,
      PemFile key,
      ClientAuthentication clientAuthentication,
      Optional<PemFile> clientCa,
      List<String> protocols) {
    Tls {
      protocols = List.copyOf(protocols);
    }
  }

  /**
   * A file with certificates or a key.
   *
   * @param key of the web configuration that names it
   */
  record PemFile(String key, Path file) {
    /** Names it in messages. */
    String description() {
      return key + " " + file;
    }
  }

  /** Requirements for client certificates, with the names of Go's {@code crypto/tls}. */
  enum ClientAuthentication {
    NONE("NoClientCert", ClientAuth.NONE, false),
    REQUEST("RequestClientCert", ClientAuth.OPTIONAL, false),
    REQUIRE_ANY("RequireAnyClientCert", ClientAuth.REQUIRE, false),
    VERIFY_IF_GIVEN("VerifyClientCertIfGiven", ClientAuth.OPTIONAL, true),
    REQUIRE_AND_VERIFY("RequireAndVerifyClientCert", ClientAuth.REQUIRE, true);

    private final String spelling;
    private final ClientAuth demand;
    private final boolean verified;

    ClientAuthentication(String spelling, ClientAuth demand, boolean verified) {
      this.spelling = spelling;
      this.demand = demand;
      this.verified = verified;
    }

    static Optional<ClientAuthentication> named(String spelling) {
      // An older name, which exporters still accept.
      String name = spelling.equals("RequireClientCert") ? REQUIRE_ANY.spelling : spelling;
      return Arrays.stream(values()).filter(one -> one.spelling.equals(name)).findFirst();
    }

    static List<String> names() {
      return Arrays.stream(values()).map(one -> one.spelling).toList();
    }

    ClientAuth demand() {
      return demand;
    }

    /** Whether a certificate must be signed by a trusted authority. */
    boolean isVerified() {
      return verified;
    }
  }
}
