package io.gpureclaimer.reclaimer.plan;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many evictions are allowed at most: a number, or one that grows with the cluster.
 *
 * @param least in any cluster
 * @param share of the cluster's GPUs, 0 to 1; 0 for a number that does not grow
 */
public record EvictionLimit(int least, double share) {
  /** What {@link #parse} reads. */
  public static final String GRAMMAR =
      "a number such as 2, or a share of the cluster's GPUs such as 0.4%";

  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3})?)%");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  public EvictionLimit {
    if (least < 0) {
      throw new IllegalArgumentException("a limit must not be negative, was " + least);
    }
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a share must be from 0 to 1, was " + share);
    }
  }

  /** The same number in every cluster. */
  public static EvictionLimit of(int number) {
    return new EvictionLimit(number, 0);
  }

  /**
   * Reads {@code 2} or {@code 0.4%}; empty for anything else.
   *
   * @param least what a share comes to at least
   */
  public static Optional<EvictionLimit> parse(String text, int least) {
    if (NUMBER.matcher(text).matches()) {
      return Optional.of(of(Integer.parseInt(text)));
    }
    Matcher percent = PERCENT.matcher(text);
    return percent.matches() && Double.parseDouble(percent.group(1)) <= 100
        ? Optional.of(new EvictionLimit(least, Double.parseDouble(percent.group(1)) / 100))
        : Optional.empty();
  }

  /** In a cluster of so many GPUs; parts of an eviction do not count. */
  int in(int gpus) {
    return Math.max(least, (int) Math.min(Integer.MAX_VALUE, share * gpus));
  }
}
