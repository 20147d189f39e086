package io.gpureclaimer.exporter.web;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /**
   * How connections are encrypted.
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
}
