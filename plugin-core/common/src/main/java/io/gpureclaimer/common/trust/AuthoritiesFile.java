package io.gpureclaimer.common.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** File of CA certificates in PEM, which may be replaced at any time. Safe for any thread. */
public final class AuthoritiesFile {

  /** Trusted authorities, and the text that they were read from. */
  private record LoadedAuthorities(String pem, X509ExtendedTrustManager trusting) {}

  private final Path file;
  private final AtomicReference<@Nullable LoadedAuthorities> last = new AtomicReference<>();

  public AuthoritiesFile(Path file) {
    this.file = file;
  }

  /**
   * Trusts the authorities that the file names now, and no others; the same object while the file
   * is unchanged.
   *
   * @throws NoAuthorities if the file holds no certificates
   */
  public X509ExtendedTrustManager now() throws NoAuthorities {
    String pem = content();
    LoadedAuthorities known = last.get();
    if (known != null && known.pem().equals(pem)) {
      return known.trusting();
    }
    X509ExtendedTrustManager trusting = trusting(pem);
    last.set(new LoadedAuthorities(pem, trusting));
    return trusting;
  }

  private String content() throws NoAuthorities {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new NoAuthorities(file, "no such file", e);
    } catch (IOException e) {
      throw new NoAuthorities(file, String.valueOf(e.getMessage()), e);
    }
  }

  private X509ExtendedTrustManager trusting(String pem) throws NoAuthorities {
    try {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)));
      if (certificates.isEmpty()) {
        throw new NoAuthorities(file, "none");
      }
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store(certificates));
      return Arrays.stream(managers.getTrustManagers())
          .filter(X509ExtendedTrustManager.class::isInstance)
          .map(X509ExtendedTrustManager.class::cast)
          .findFirst()
          .orElseThrow();
    } catch (NoAuthorities e) {
      throw e;
    } catch (GeneralSecurityException | IOException e) {
      throw new NoAuthorities(file, String.valueOf(e.getMessage()), e);
    }
  }

  private static KeyStore store(Collection<? extends Certificate> certificates)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int index = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("ca-" + index++, certificate);
    }
    return store;
  }

  /** A file that names no authority. Its content is never part of the message. */
  public static final class NoAuthorities extends CertificateException {
    private static final long serialVersionUID = 1L;

    private final String found;

    NoAuthorities(Path file, String found, Throwable cause) {
      super(message(file, found), cause);
      this.found = found;
    }

    NoAuthorities(Path file, String found) {
      super(message(file, found));
      this.found = found;
    }

    /** What was there instead of certificates. */
    public String found() {
      return found;
    }

    private static String message(Path file, String found) {
      return "expected CA certificates in " + file + ", found " + found;
    }
  }
}
