package io.gpureclaimer.reclaimer.policy;

/**
 * Something in the annotations of an object that does not hold as it is written.
 *
 * @param object for example {@code namespace ml} or {@code pod ml/train-0}
 * @param key the whole annotation key
 * @param value as it is written; shortened, and without control characters
 * @param rule what was expected, and what holds instead
 */
public record Remark(String object, String key, String value, String rule) {
  /** It may have meant to protect, so nothing is done. */
  static final String UNTIL_THEN = "only reported on until then";

  /** It may have meant to protect, too, and does nothing. */
  static final String NO_LABEL = "must be an annotation, was a label, which nobody reads";

  private static final int LONGEST_VALUE = 60;

  public Remark {
    value = value.replaceAll("\\p{Cntrl}", "?");
    if (value.length() > LONGEST_VALUE) {
      value = value.substring(0, LONGEST_VALUE) + "…";
    }
  }

  /** Whether it has to be corrected; otherwise something else than what was asked for holds. */
  public boolean isMistake() {
    return rule.endsWith(UNTIL_THEN)
        || rule.startsWith("must not be written by people")
        || rule.equals(NO_LABEL);
  }

  /** One sentence for people. */
  public String text() {
    return object + ": " + key + " \"" + value + "\": " + rule;
  }
}
