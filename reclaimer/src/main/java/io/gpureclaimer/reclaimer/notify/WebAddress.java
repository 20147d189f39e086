package io.gpureclaimer.reclaimer.notify;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Addresses that can be posted to. What is none is not repeated, for it may be a secret. */
final class WebAddress {
  private WebAddress() {}

  static Optional<URI> of(String text) {
    try {
      return Optional.of(new URI(text.strip())).filter(WebAddress::canBePostedTo);
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static boolean canBePostedTo(URI url) {
    boolean http = "http".equalsIgnoreCase(url.getScheme());
    return (http || "https".equalsIgnoreCase(url.getScheme()))
        && url.getHost() != null
        && url.getRawUserInfo() == null;
  }
}
