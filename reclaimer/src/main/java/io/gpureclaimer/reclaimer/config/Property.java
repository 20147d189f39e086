package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.common.time.Durations;
import java.time.Duration;

/**
 * A duration with the name by which people set it. Each rule that it breaks is told in one line.
 *
 * @param name the whole name
 * @param value what it is set to
 */
record Property(String name, Duration value) {

  void mustBePositive() {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, was " + text());
    }
  }

  void mustNotBeNegative() {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative, was " + text());
    }
  }

  void mustBeAtLeast(Duration least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          name + " must be at least " + text(least) + ", was " + text());
    }
  }

  void mustBeAtLeast(Property other) {
    if (value.compareTo(other.value) < 0) {
      throw new IllegalArgumentException(broken("at least", other));
    }
  }

  void mustBeAtMost(Property other) {
    if (value.compareTo(other.value) > 0) {
      throw new IllegalArgumentException(broken("at most", other));
    }
  }

  void mustBeAtMost(Duration most) {
    if (value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name + " must be at most " + text(most) + ", was " + text());
    }
  }

  void mustBeShorterThan(Property other) {
    if (value.compareTo(other.value) >= 0) {
      throw new IllegalArgumentException(broken("shorter than", other));
    }
  }

  private String broken(String rule, Property other) {
    return name
        + " must be "
        + rule
        + " "
        + other.name
        + ", which is "
        + other.text()
        + ", was "
        + text();
  }

  private String text() {
    return text(value);
  }

  /** As people write durations, unless that would lose something. */
  private static String text(Duration duration) {
    String human = Durations.format(duration);
    boolean exact = Durations.parse(human.replace(" ", "")).filter(duration::equals).isPresent();
    return exact ? human : duration.toString();
  }
}
