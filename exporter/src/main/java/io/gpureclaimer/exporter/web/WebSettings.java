package io.gpureclaimer.exporter.web;

import java.util.Map;
import java.util.Optional;

/**
 * What a web configuration file says.
 *
 * @param tls plain HTTP if not given
 * @param http2 whether it is offered; only with TLS
 * @param headers what every answer gets besides its own
 * @param rate every request is answered if not given
 * @param users bcrypt hashes of the passwords by user; nobody is asked for one if empty
 */
record WebSettings(
    Optional<TlsSettings> tls,
    boolean http2,
    Map<String, String> headers,
    Optional<RateLimit> rate,
    Map<String, String> users) {
  WebSettings {
    headers = Map.copyOf(headers);
    users = Map.copyOf(users);
  }
}
