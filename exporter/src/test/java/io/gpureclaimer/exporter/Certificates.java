package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Self-signed certificates of the JDK's keytool, in the forms that the tests need. */
public final class Certificates {
  private static final String PASSWORD = "password";
  private static final int LINE = 64;

  private Certificates() {}

  /**
   * Peer with a key and a certificate for 127.0.0.1.
   *
   * @param store both
   */
  public record Identity(KeyStore store) {

    public String certificatePem() throws GeneralSecurityException {
      return pem("CERTIFICATE", certificate().getEncoded());
    }

    public String keyPem() throws GeneralSecurityException {
      return pem("PRIVATE KEY", pkcs8());
    }

    public byte[] pkcs8() throws GeneralSecurityException {
      return store.getKey("it", PASSWORD.toCharArray()).getEncoded();
    }

    Certificate certificate() throws GeneralSecurityException {
      return store.getCertificate("it");
    }

    /** Writes both as PEM, to {@code NAME.crt} and {@code NAME.key}. */
    public Identity writtenTo(Path folder, String name)
        throws IOException, GeneralSecurityException {
      Files.writeString(folder.resolve(name + ".crt"), certificatePem());
      Files.writeString(folder.resolve(name + ".key"), keyPem());
      return this;
    }

    /** A client that shows this identity, wanted or not, and trusts only the other. */
    public SSLContext asClientOf(Identity server) throws GeneralSecurityException, IOException {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD.toCharArray());
      var context = SSLContext.getInstance("TLS");
      var insistent = new Insistent((X509ExtendedKeyManager) keys.getKeyManagers()[0]);
      context.init(new KeyManager[] {insistent}, trusting(server).getTrustManagers(), null);
      return context;
    }
  }

  /** A client without a certificate that trusts only this server. */
  public static SSLContext clientOf(Identity server) throws GeneralSecurityException, IOException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, trusting(server).getTrustManagers(), null);
    return context;
  }

  /** A new identity; {@code algorithm} is RSA, EC or Ed25519. */
  public static Identity make(Path folder, String name, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve(name + ".p12");
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return new Identity(store);
  }

  /** As PEM writes it. */
  public static String pem(String label, byte[] der) {
    var encoder = Base64.getMimeEncoder(LINE, new byte[] {'\n'});
    return "-----BEGIN "
        + label
        + "-----\n"
        + encoder.encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }

  /** Presents its certificate even to peers that trust another issuer. */
  private static final class Insistent extends X509ExtendedKeyManager {
    private final X509ExtendedKeyManager keys;

    Insistent(X509ExtendedKeyManager keys) {
      this.keys = keys;
    }

    @Override
    public String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
      return "it";
    }

    @Override
    public String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return "it";
    }

    @Override
    public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
      return new String[] {"it"};
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
      return new String[0];
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return keys.getPrivateKey(alias);
    }
  }

  private static TrustManagerFactory trusting(Identity server)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("server", server.certificate());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust;
  }
}
