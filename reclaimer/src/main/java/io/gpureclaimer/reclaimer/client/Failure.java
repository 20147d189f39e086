package io.gpureclaimer.reclaimer.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.NoSuchFileException;
import javax.net.ssl.SSLException;

/** What went wrong between us and the Prometheus, in words. */
public final class Failure {
  private Failure() {}

  public static String text(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case UnresolvedAddressException _ -> {
          return "a host name that does not resolve";
        }
        case UnknownHostException _ -> {
          return "a host name that does not resolve";
        }
        case SSLException tls -> {
          return "a TLS failure: " + Excerpt.of(message(tls));
        }
        case NoSuchFileException _ -> {
          return "no such file";
        }
        default -> {}
      }
    }
    // The JDK's client loses the words of a refused connection.
    return failure instanceof ConnectException && failure.getMessage() == null
        ? "nobody listening there"
        : Excerpt.of(message(failure));
  }

  private static String message(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    return failure.getClass().getSimpleName();
  }
}
