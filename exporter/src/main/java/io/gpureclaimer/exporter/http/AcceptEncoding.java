package io.gpureclaimer.exporter.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What a client says it can unpack. */
final class AcceptEncoding {
  /** {@code gzip}, alone or with a weight that is not zero. */
  private static final Pattern GZIP =
      Pattern.compile("(x-)?gzip(\\s*;\\s*q\\s*=\\s*(1(\\.0*)?|0?\\.0*[1-9]\\d*))?");

  private AcceptEncoding() {}

  static boolean allowsGzip(List<String> headers) {
    for (String header : headers) {
      for (String coding : header.split(",", -1)) {
        if (GZIP.matcher(coding.strip().toLowerCase(Locale.ROOT)).matches()) {
          return true;
        }
      }
    }
    return false;
  }
}
