package io.gpureclaimer.reclaimer.show;

/**
 * What came of one rule.
 *
 * @param rule its stable name
 * @param outcome whether it let pass
 * @param sentence what holds
 */
record Finding(String rule, Outcome outcome, String sentence) {

  /** Which way it went. */
  enum Outcome {
    /** It does not stand against reclaiming. */
    PASSED("passed", "ok"),
    /** It does. */
    STOPPED("stopped", "stop"),
    /** Another rule had decided before. */
    NOT_REACHED("not-reached", "-");

    private final String code;
    private final String mark;

    Outcome(String code, String mark) {
      this.code = code;
      this.mark = mark;
    }

    /** The stable name, for JSON. */
    String code() {
      return code;
    }

    /** A word of at most four letters, for a column. */
    String mark() {
      return mark;
    }
  }
}
