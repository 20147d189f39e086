package io.gpureclaimer.exporter;

import java.nio.channels.UnresolvedAddressException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What lies beneath a framework's exception, in one line for the user. */
final class Causes {
  private static final Pattern CONVERSION =
      Pattern.compile(
          "Error resolving property value \\[([^]]*)]\\."
              + " Unable to convert value \\[(.*?)] to target type \\[([^]]*)]");

  private Causes() {}

  /** Which property is wrong, and how. */
  static String misconfiguration(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      String message = String.valueOf(at.getMessage());
      if (at instanceof IllegalArgumentException) {
        return oneLine(message);
      }
      Matcher conversion = CONVERSION.matcher(message);
      if (conversion.find()) {
        return oneLine(
            conversion.group(1)
                + " must be a "
                + conversion.group(3)
                + ", was \""
                + conversion.group(2)
                + '"');
      }
    }
    return innermost(thrown);
  }

  static String innermost(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    if (at instanceof UnresolvedAddressException) {
      return "unknown host";
    }
    return oneLine(at.getMessage() == null ? at.toString() : at.getMessage());
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
