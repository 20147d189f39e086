package io.gpureclaimer.exporter;

/** What lies beneath a framework's exception. */
final class Causes {
  private Causes() {}

  /** The message of our own check, if one failed; otherwise the innermost one. */
  static String ruleOf(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof IllegalArgumentException && at.getMessage() != null) {
        return oneLine(at.getMessage());
      }
    }
    return innermost(thrown);
  }

  static String innermost(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return oneLine(at.getMessage() == null ? at.toString() : at.getMessage());
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
