package io.gpureclaimer.reclaimer.lint;

import io.gpureclaimer.reclaimer.policy.Remark;

/**
 * Something in the annotations of an object that does not hold as it is written.
 *
 * @param source the file; of a cluster, {@code cluster}
 * @param remark what does not hold
 */
public record Finding(String source, Remark remark) {

  /** One line for people. */
  public String text() {
    return source + ": " + (remark.isMistake() ? "" : "note: ") + remark.text();
  }
}
