package io.gpureclaimer.exporter.web;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** What the file says of TLS, made ready for connections. */
final class SslContexts {
  private static final String TLS13_SUITES = "TLS_(AES|CHACHA20)_.*";

  private SslContexts() {}

  /** Whether the JVM has a cipher suite of this name. */
  static boolean speaks(String cipherSuite) {
    return Arrays.asList(jvm().getSupportedSSLParameters().getCipherSuites()).contains(cipherSuite);
  }

  /**
   * Makes a context.
   *
   * @param http2 whether to offer it
   * @param texts what stands in the files that the settings name
   */
  static SslContext of(TlsSettings tls, boolean http2, Map<Pem, String> texts) throws Refusal {
    var chain = certificates(tls.certificate(), texts);
    var key = PrivateKeyPem.read(tls.key().named(), texts.getOrDefault(tls.key(), ""));
    checkPair(tls, chain.getFirst(), key);
    var builder =
        SslContextBuilder.forServer(key, chain)
            .sslProvider(SslProvider.JDK)
            .protocols(protocols(tls))
            .clientAuth(tls.clients().demand());
    var trusted = trusted(tls, texts);
    builder.trustManager(
        tls.clientNames().isEmpty() ? trusted : new NamedClients(trusted, tls.clientNames()));
    if (!tls.cipherSuites().isEmpty()) {
      builder.ciphers(suites(tls));
    }
    if (http2) {
      builder.applicationProtocolConfig(
          new ApplicationProtocolConfig(
              Protocol.ALPN,
              SelectorFailureBehavior.NO_ADVERTISE,
              SelectedListenerFailureBehavior.ACCEPT,
              ApplicationProtocolNames.HTTP_2,
              ApplicationProtocolNames.HTTP_1_1));
    }
    try {
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new Refusal("tls_server_config: " + e.getMessage());
    }
  }

  /** Whom the file trusts, whatever the certificate calls them. */
  private static X509ExtendedTrustManager trusted(TlsSettings tls, Map<Pem, String> texts)
      throws Refusal {
    if (!tls.clients().isVerified()) {
      return only(InsecureTrustManagerFactory.INSTANCE);
    }
    try {
      KeyStore authorities = null;
      if (tls.clientCa().isPresent()) {
        authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null, null);
        for (X509Certificate authority : certificates(tls.clientCa().get(), texts)) {
          authorities.setCertificateEntry(Integer.toString(authorities.size()), authority);
        }
      }
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(authorities);
      return only(factory);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JVM cannot hold certificates in memory", e);
    }
  }

  private static X509ExtendedTrustManager only(TrustManagerFactory factory) {
    return Arrays.stream(factory.getTrustManagers())
        .filter(X509ExtendedTrustManager.class::isInstance)
        .map(X509ExtendedTrustManager.class::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("this JVM trusts nobody"));
  }

  /** What Netty's builder has no word for. */
  static void tune(SSLParameters parameters, TlsSettings tls) {
    parameters.setUseCipherSuitesOrder(tls.serverPrefers());
    if (!tls.curves().isEmpty()) {
      parameters.setNamedGroups(tls.curves().toArray(String[]::new));
    }
  }

  /** Those of TLS 1.3 are not to choose from. */
  private static List<String> suites(TlsSettings tls) {
    var suites = new ArrayList<>(tls.cipherSuites());
    Arrays.stream(jvm().getDefaultSSLParameters().getCipherSuites())
        .filter(suite -> suite.matches(TLS13_SUITES) && !suites.contains(suite))
        .forEach(suites::add);
    return suites;
  }

  /** The JVM no longer speaks all that can be asked for. */
  private static List<String> protocols(TlsSettings tls) throws Refusal {
    var spoken = new ArrayList<>(TlsVersion.protocols(tls.oldest(), tls.newest()));
    spoken.retainAll(List.of(jvm().getDefaultSSLParameters().getProtocols()));
    if (spoken.isEmpty()) {
      throw new Refusal(
          "tls_server_config.max_version must be one that this JVM speaks, was " + tls.newest());
    }
    return spoken;
  }

  private static List<X509Certificate> certificates(Pem pem, Map<Pem, String> texts)
      throws Refusal {
    byte[] bytes = texts.getOrDefault(pem, "").getBytes(StandardCharsets.ISO_8859_1);
    try {
      var found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
      if (found.isEmpty()) {
        throw new Refusal(pem.named() + " has no certificate in PEM");
      }
      return found.stream().map(X509Certificate.class::cast).toList();
    } catch (CertificateException _) {
      throw new Refusal(pem.named() + " has no certificate in PEM");
    }
  }

  /** Signs something with the one, and asks the other whether that was right. */
  private static void checkPair(TlsSettings tls, X509Certificate certificate, PrivateKey key)
      throws Refusal {
    try {
      var algorithm = Signature.getInstance(algorithm(key));
      algorithm.initSign(key);
      byte[] signature = algorithm.sign();
      algorithm.initVerify(certificate.getPublicKey());
      if (algorithm.verify(signature)) {
        return;
      }
    } catch (GeneralSecurityException _) {
      // A key of one kind cannot even be asked about a signature of another.
    }
    throw new Refusal(tls.key().named() + " must be the key of " + tls.certificate().named());
  }

  private static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> "EdDSA";
    };
  }

  private static SSLContext jvm() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    }
  }
}
