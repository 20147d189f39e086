package io.gpureclaimer.reclaimer.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The HTTP client that trusts what the certificate file says now. Safe for any thread. */
public final class Trust {

  /** A client, and the certificates it was made for. */
  private record Made(String certificates, HttpClient client) {}

  private static final String THE_JVMS_OWN = "";

  private final Optional<Path> caFile;
  private final AtomicReference<@Nullable Made> made = new AtomicReference<>();

  public Trust(Optional<Path> caFile) {
    this.caFile = caFile;
  }

  /**
   * The client made last time, or a new one if the certificates changed.
   *
   * @throws ConnectionFileException if the file holds no certificates
   */
  public HttpClient client() {
    String certificates = caFile.map(Trust::content).orElse(THE_JVMS_OWN);
    Made last = made.get();
    if (last != null && last.certificates().equals(certificates)) {
      return last.client();
    }
    // An answer is the Prometheus's own or none: a redirect leads to a login page at best.
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER);
    caFile.ifPresent(file -> builder.sslContext(trusting(file, certificates)));
    HttpClient client = builder.build();
    made.set(new Made(certificates, client));
    return client;
  }

  private static String content(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new ConnectionFileException("CA certificates", file, Failure.text(e));
    }
  }

  private static SSLContext trusting(Path file, String pem) {
    try {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)));
      if (certificates.isEmpty()) {
        throw new ConnectionFileException("CA certificates", file, "none");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int index = 0;
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("ca-" + index++, certificate);
      }
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new ConnectionFileException(
          "CA certificates", file, Excerpt.of(String.valueOf(e.getMessage())));
    }
  }
}
