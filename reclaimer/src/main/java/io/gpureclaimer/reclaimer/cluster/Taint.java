package io.gpureclaimer.reclaimer.cluster;

/**
 * A node's mark that keeps pods away.
 *
 * @param value its value, maybe empty
 * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
 */
public record Taint(String key, String value, String effect) {

  /** Whether the taint forbids scheduling, rather than advising against it. */
  public boolean forbids() {
    return !effect.equals("PreferNoSchedule");
  }
}
