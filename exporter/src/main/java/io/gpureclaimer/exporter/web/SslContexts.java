package io.gpureclaimer.exporter.web;

import io.gpureclaimer.exporter.web.WebSettings.PemFile;
import io.gpureclaimer.exporter.web.WebSettings.Tls;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** Builds TLS contexts from the settings and the content of the files that they name. */
final class SslContexts {
  private SslContexts() {}

  /**
   * Builds a context for the server.
   *
   * @param texts content of the files that the settings name
   */
  static SslContext of(Tls tls, Map<PemFile, String> texts) {
    var chain = certificates(tls.certificate(), texts);
    var key = PrivateKeyPem.read(tls.key().description(), texts.getOrDefault(tls.key(), ""));
    requirePair(tls, chain.getFirst(), key);
    try {
      return SslContextBuilder.forServer(key, chain)
          .sslProvider(SslProvider.JDK)
          .protocols(tls.protocols())
          .clientAuth(tls.clientAuthentication().demand())
          .trustManager(trustOf(tls, texts))
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new InvalidWebConfig("tls_server_config: " + e.getMessage());
    }
  }

  private static TrustManagerFactory trustOf(Tls tls, Map<PemFile, String> texts) {
    if (!tls.clientAuthentication().isVerified()) {
      return InsecureTrustManagerFactory.INSTANCE;
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
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JVM cannot hold certificates in memory", e);
    }
  }

  private static List<X509Certificate> certificates(PemFile pem, Map<PemFile, String> texts) {
    byte[] bytes = texts.getOrDefault(pem, "").getBytes(StandardCharsets.ISO_8859_1);
    try {
      var found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
      if (!found.isEmpty()) {
        return found.stream().map(X509Certificate.class::cast).toList();
      }
    } catch (CertificateException _) {
      // The same message as for a file without any.
    }
    throw new InvalidWebConfig(pem.description() + " has no certificate in PEM");
  }

  /** Signs with the key and verifies the signature with the certificate. */
  private static void requirePair(Tls tls, X509Certificate certificate, PrivateKey key) {
    try {
      var algorithm = Signature.getInstance(algorithm(key));
      algorithm.initSign(key);
      byte[] signature = algorithm.sign();
      algorithm.initVerify(certificate.getPublicKey());
      if (algorithm.verify(signature)) {
        return;
      }
    } catch (GeneralSecurityException _) {
      // A key of one algorithm cannot verify a signature of another.
    }
    throw new InvalidWebConfig(
        tls.key().description() + " must be the key of " + tls.certificate().description());
  }

  private static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> "EdDSA";
    };
  }
}
