package io.gpureclaimer.nvml;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of fields in the loaded library. The headers of drivers 575 and 580 have the times of
 * slowdown and the synchronous power balancing at 251 to 255 and power smoothing behind them; that
 * of 570 has power smoothing at 251 and nothing else, and those of 590 and newer have it there and
 * the rest behind it. Each answers the other's question with another number. Until 560 none of them
 * has any number.
 */
final class FieldNumbers {
  /** As in the newest header, which our constants follow. */
  static final FieldNumbers NEWEST = new FieldNumbers(false);

  private static final FieldNumbers OLDER = new FieldNumbers(true);

  /** Of those that have moved none is asked for: absent is better than another field's value. */
  static final FieldNumbers UNKNOWN = new FieldNumbers(false);

  /** No field has it. */
  private static final int NONE = 0;

  private static final int LAST_BRANCH_WITHOUT = 560;
  private static final int FIRST_OLDER_BRANCH = 575;
  private static final int LAST_OLDER_BRANCH = 580;
  private static final Pattern BRANCH = Pattern.compile("(\\d{3})\\..*");

  private static final int FIRST_SMOOTHING = 251;
  private static final int LAST_SMOOTHING = 268;
  private static final int LAST_MOVED = 273;
  private static final int BEFORE_SMOOTHING = LAST_MOVED - LAST_SMOOTHING;
  private static final int SMOOTHING = LAST_SMOOTHING - FIRST_SMOOTHING + 1;

  private final boolean older;

  private FieldNumbers(boolean older) {
    this.older = older;
  }

  /** The numbers of that driver's library; the newest where its version cannot be read. */
  static FieldNumbers ofDriver(String version) {
    Matcher branch = BRANCH.matcher(version);
    return branch.matches() && isOlder(Integer.parseInt(branch.group(1))) ? OLDER : NEWEST;
  }

  private static boolean isOlder(int branch) {
    return branch <= LAST_BRANCH_WITHOUT
        || (branch >= FIRST_OLDER_BRANCH && branch <= LAST_OLDER_BRANCH);
  }

  /** Whether it is one of those that have had two numbers. */
  static boolean hasMoved(int id) {
    return id >= FIRST_SMOOTHING && id <= LAST_MOVED;
  }

  /**
   * The number by which this library knows a field.
   *
   * @param id its number in the newest header
   */
  int of(int id) {
    if (hasMoved(id) && this == UNKNOWN) {
      return NONE;
    }
    if (!older || !hasMoved(id)) {
      return id;
    }
    return id <= LAST_SMOOTHING ? id + BEFORE_SMOOTHING : id - SMOOTHING;
  }
}
