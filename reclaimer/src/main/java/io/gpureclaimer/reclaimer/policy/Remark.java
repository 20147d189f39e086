package io.gpureclaimer.reclaimer.policy;

/**
 * Something in the annotations of an object that does not hold as it is written.
 *
 * @param object for example {@code namespace ml} or {@code pod ml/train-0}
 * @param key the whole annotation key
 * @param value as it is written
 * @param rule what was expected, and what holds instead
 */
public record Remark(String object, String key, String value, String rule) {

  /** One sentence for people. */
  public String text() {
    return object + ": " + key + ": \"" + value + "\": " + rule;
  }
}
