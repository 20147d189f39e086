package io.gpureclaimer.exporter.web;

import java.util.List;
import java.util.Optional;

/**
 * What the file says of TLS.
 *
 * @param certificate the server's, with those that signed it after it
 * @param key its private key
 * @param clients what is asked of clients
 * @param clientCa who may have signed their certificates; those that the JVM trusts if not given
 * @param clientNames one of which a certificate that is given must bear; any if there is none
 * @param oldest version that is spoken
 * @param newest version that is spoken
 * @param cipherSuites of TLS 1.2 and older; the JVM's own choice if empty
 * @param curves in the JVM's spelling, best first; the JVM's own choice if empty
 * @param serverPrefers whether our order of suites counts, not the client's
 */
record TlsSettings(
    Pem certificate,
    Pem key,
    ClientAuthentication clients,
    Optional<Pem> clientCa,
    List<String> clientNames,
    TlsVersion oldest,
    TlsVersion newest,
    List<String> cipherSuites,
    List<String> curves,
    boolean serverPrefers) {
  TlsSettings {
    clientNames = List.copyOf(clientNames);
    cipherSuites = List.copyOf(cipherSuites);
    curves = List.copyOf(curves);
  }
}
