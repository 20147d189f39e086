package io.gpureclaimer.verification.gpupack;

/**
 * One line of the report.
 *
 * @param subject what was checked
 * @param expected the expectation, with its tolerance
 * @param found what was found
 */
record CheckRow(String subject, String expected, String found, Result result) {

  /** Result of a check. What could not be checked is never a pass. */
  enum Result {
    PASS("pass"),
    FAIL("**FAIL**"),
    NOT_CHECKED("not checked");

    private final String text;

    Result(String text) {
      this.text = text;
    }

    static Result of(boolean holds) {
      return holds ? PASS : FAIL;
    }

    String text() {
      return text;
    }
  }

  static CheckRow notChecked(String subject, String expected, String why) {
    return new CheckRow(subject, expected, why, Result.NOT_CHECKED);
  }
}
