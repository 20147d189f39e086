package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.common.time.Durations;
import io.micronaut.core.convert.ConversionService;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A property with a duration, and rules for properties. Each message names the property. */
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

  /** The duration as in annotations, if that is exact. */
  private static String text(Duration duration) {
    String human = Durations.format(duration);
    boolean exact = Durations.parse(human.replace(" ", "")).filter(duration::equals).isPresent();
    return exact ? human : duration.toString();
  }

  /**
   * A duration as in other properties.
   *
   * @param word that is allowed as well
   */
  static Duration duration(String property, String text, String word) {
    return Durations.parse(text)
        .or(() -> ConversionService.SHARED.convert(text, Duration.class))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    property + " must be " + word + " or " + Durations.EXAMPLES + ", was " + text));
  }

  /** The values with these codes; {@code none} alone is the empty set. */
  static <T> Set<T> choices(
      String property, List<String> codes, T[] all, Function<T, String> code) {
    Map<String, T> known = new LinkedHashMap<>();
    for (T each : all) {
      known.put(code.apply(each), each);
    }
    List<String> named = codes.equals(List.of("none")) ? List.of() : codes;
    for (String asked : named) {
      if (!known.containsKey(asked)) {
        throw new IllegalArgumentException(
            property
                + " must be none or some of "
                + String.join(", ", known.keySet())
                + ", was "
                + asked);
      }
    }
    known.keySet().retainAll(named);
    return Set.copyOf(known.values());
  }

  /** Checks a URL. The message contains only its scheme and host; the rest may hold a password. */
  static void mustBeHttp(String property, URI url) {
    boolean http = "http".equalsIgnoreCase(url.getScheme());
    if (!http && !"https".equalsIgnoreCase(url.getScheme())) {
      throw new IllegalArgumentException(
          property
              + " must begin with http:// or https://, "
              + (url.getScheme() == null
                  ? "it had no scheme"
                  : "its scheme was " + url.getScheme()));
    }
    if (url.getHost() == null) {
      throw new IllegalArgumentException(property + " must name a host, it named none");
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          property
              + " must not hold a user or password, the one with host "
              + url.getHost()
              + " does");
    }
  }

  static void mustBeShare(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must be from 0 to 1, was " + value);
    }
  }
}
