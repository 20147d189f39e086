package io.gpureclaimer.common.trust;

import java.nio.file.Path;
import java.security.cert.CertificateException;

/** A file names nobody to trust. Its content is never part of the message. */
public final class NoAuthorities extends CertificateException {
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
