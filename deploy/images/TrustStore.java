import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.stream.Stream;

/** Makes a JVM's trust store, without a password, of all certificates (PEM) in a folder. */
final class TrustStore {
  private TrustStore() {}

  static void main(String[] args) throws IOException, GeneralSecurityException {
    System.setProperty("keystore.pkcs12.certProtectionAlgorithm", "NONE");
    System.setProperty("keystore.pkcs12.macAlgorithm", "NONE");
    List<Path> files;
    try (Stream<Path> found = Files.list(Path.of(args[0]))) {
      files = found.filter(file -> file.toString().endsWith(".crt")).sorted().toList();
    }
    CertificateFactory x509 = CertificateFactory.getInstance("X.509");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (Path file : files) {
      try (InputStream pem = Files.newInputStream(file)) {
        store.setCertificateEntry(file.getFileName().toString(), x509.generateCertificate(pem));
      }
    }
    try (OutputStream out = Files.newOutputStream(Path.of(args[1]))) {
      store.store(out, null);
    }
  }
}
