package io.gpureclaimer.reclaimer.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** What went wrong between us and the Prometheus, in words. */
public final class HttpFailure {
  private HttpFailure() {}

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
        ? "no process listening there"
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

  /** Foreign text made fit for one line of ours. */
  public static final class Excerpt {
    private static final int LONGEST = 300;
    private static final Pattern GAPS = Pattern.compile("[\\s\\p{Cntrl}]+");

    private Excerpt() {}

    public static String of(String text) {
      String line = GAPS.matcher(text).replaceAll(" ").strip();
      return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
  }
}
