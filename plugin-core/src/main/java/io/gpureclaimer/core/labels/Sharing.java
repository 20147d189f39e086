package io.gpureclaimer.core.labels;

import org.jspecify.annotations.Nullable;

/**
 * How the devices of one resource are shared.
 *
 * @param strategy by which means
 * @param replicas how often each device is offered, at least 1; null where the devices differ in it
 * @param renamed whether it is offered under another name, so that the product keeps its own
 */
public record Sharing(Strategy strategy, @Nullable Integer replicas, boolean renamed) {
  /** Each device once, under its own name. */
  public static final Sharing NOT_SHARED = new Sharing(Strategy.NONE, 1, false);

  public Sharing {
    if (replicas != null && replicas < 1) {
      throw new IllegalArgumentException("a device has at least 1 replica, was " + replicas);
    }
  }

  boolean isShared() {
    return strategy != Strategy.NONE && (replicas == null || replicas > 1);
  }

  /** What the labels call the means. */
  String strategyText() {
    return isShared() ? strategy.text : Strategy.NONE.text;
  }

  /** The means of sharing. */
  public enum Strategy {
    NONE("none"),
    TIME_SLICING("time-slicing"),
    MPS("mps");

    private final String text;

    Strategy(String text) {
      this.text = text;
    }
  }
}
