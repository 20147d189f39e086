package io.gpureclaimer.reclaimer.client;

import io.gpureclaimer.common.trust.AuthoritiesFile;
import io.gpureclaimer.common.trust.AuthoritiesFile.NoAuthorities;
import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The HTTP client that trusts what the certificate file says now. Safe for any thread. */
public final class TrustedHttpClient {

  /** A client, and whom it trusts; empty where that is whom the JVM trusts. */
  private record CachedClient(Optional<X509ExtendedTrustManager> trusting, HttpClient client) {}

  /** The file of the certificates, where there is one. */
  private record Authorities(Path path, AuthoritiesFile file) {
    X509ExtendedTrustManager now() {
      try {
        return file.now();
      } catch (NoAuthorities e) {
        throw new ConnectionFileException("CA certificates", path, Excerpt.of(e.found()));
      }
    }
  }

  private final Optional<Authorities> authorities;
  private final AtomicReference<@Nullable CachedClient> made = new AtomicReference<>();

  public TrustedHttpClient(Optional<Path> caFile) {
    this.authorities = caFile.map(path -> new Authorities(path, new AuthoritiesFile(path)));
  }

  /**
   * The client made last time, or a new one if the certificates changed.
   *
   * @throws ConnectionFileException if the file holds no certificates
   */
  public HttpClient client() {
    Optional<X509ExtendedTrustManager> trusting = authorities.map(Authorities::now);
    CachedClient last = made.get();
    if (last != null && last.trusting().equals(trusting)) {
      return last.client();
    }
    // An answer is the Prometheus's own or none: a redirect leads to a login page at best.
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER);
    trusting.map(TrustedHttpClient::context).ifPresent(builder::sslContext);
    HttpClient client = builder.build();
    made.set(new CachedClient(trusting, client));
    return client;
  }

  private static SSLContext context(X509ExtendedTrustManager trusting) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trusting}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM knows TLS", e);
    }
  }

  /** A file that the connection needs cannot be used. Its content is never part of the message. */
  public static final class ConnectionFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String expected;
    private final String found;

    public ConnectionFileException(String expected, Path file, String found) {
      super(expected + " in " + file + ", found " + found);
      this.expected = expected + " in " + file;
      this.found = found;
    }

    /** What should have been there. */
    public String expected() {
      return expected;
    }

    /** What was there. */
    public String found() {
      return found;
    }
  }
}
