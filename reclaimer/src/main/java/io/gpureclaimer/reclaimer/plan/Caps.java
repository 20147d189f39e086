package io.gpureclaimer.reclaimer.plan;

/**
 * How many workloads of one namespace may be evicted.
 *
 * @param perPlan in one plan
 * @param perHour in any hour
 */
public record Caps(int perPlan, int perHour) {

  /** As many as one likes. */
  public static final Caps NONE = new Caps(Integer.MAX_VALUE, Integer.MAX_VALUE);

  public Caps {
    if (perPlan < 0 || perHour < 0) {
      throw new IllegalArgumentException(
          "caps must not be negative, was " + perPlan + " and " + perHour);
    }
  }

  /** Of each cap the smaller one. */
  public Caps within(Caps other) {
    return new Caps(Math.min(perPlan, other.perPlan), Math.min(perHour, other.perHour));
  }
}
