package io.gpureclaimer.exporter.web;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts whom another trusts, if the certificate bears one of some names besides: the alternative
 * names of its subject, which are those of the domain system, e-mail, URIs and addresses.
 */
final class NamedClients extends X509ExtendedTrustManager {
  private static final int EMAIL = 1;
  private static final int DOMAIN = 2;
  private static final int URI = 6;
  private static final int ADDRESS = 7;

  private final X509ExtendedTrustManager other;
  private final Set<String> names;

  /**
   * @param other is asked first
   * @param names one of which must be borne, to the letter
   */
  NamedClients(X509ExtendedTrustManager other, Collection<String> names) {
    this.other = other;
    this.names = Set.copyOf(names);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    other.checkClientTrusted(chain, type, engine);
    requireName(chain[0]);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    other.checkClientTrusted(chain, type, socket);
    requireName(chain[0]);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    other.checkClientTrusted(chain, type);
    requireName(chain[0]);
  }

  private void requireName(X509Certificate certificate) throws CertificateException {
    var borne = namesOf(certificate);
    if (borne.stream().noneMatch(names::contains)) {
      throw new CertificateException("none of its names is among the allowed ones: " + borne);
    }
  }

  private static List<String> namesOf(X509Certificate certificate) throws CertificateException {
    var borne = new ArrayList<String>();
    var alternatives = certificate.getSubjectAlternativeNames();
    for (var alternative : alternatives == null ? List.<List<?>>of() : alternatives) {
      // The kind of name comes first, then the name.
      if (alternative.getFirst() instanceof Integer kind
          && alternative.get(1) instanceof String name) {
        switch (kind) {
          case EMAIL, DOMAIN, URI -> borne.add(name);
          case ADDRESS -> borne.add(NetUtil.toAddressString(InetAddress.ofLiteral(name)));
          default -> {}
        }
      }
    }
    return borne;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    other.checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    other.checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    other.checkServerTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return other.getAcceptedIssuers();
  }
}
