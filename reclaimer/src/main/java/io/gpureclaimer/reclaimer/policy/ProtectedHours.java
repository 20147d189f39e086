package io.gpureclaimer.reclaimer.policy;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The hours of the week in which a workload is left alone: {@code Mon-Fri 09:00-18:00
 * Europe/Berlin}, or several of these with commas in between.
 *
 * @param ranges any of which protects; never empty
 */
public record ProtectedHours(List<HourRange> ranges) {
  static final String RULE =
      "must be hours like Mon-Fri 09:00-18:00 Europe/Berlin, several with commas in between";

  public ProtectedHours {
    ranges = List.copyOf(ranges);
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException("there is at least one range of protected hours");
    }
  }

  /** The hours, or nothing where the text is not exactly that. */
  static Optional<ProtectedHours> of(String text) {
    List<Optional<HourRange>> ranges =
        Arrays.stream(text.split(", ?", -1)).map(HourRange::of).toList();
    return ranges.stream().allMatch(Optional::isPresent)
        ? Optional.of(new ProtectedHours(ranges.stream().map(Optional::orElseThrow).toList()))
        : Optional.empty();
  }

  /** The range that protects at this moment. */
  public Optional<HourRange> at(Instant now) {
    return ranges.stream().filter(range -> range.contains(now)).findFirst();
  }

  /** As people write it. */
  public String text() {
    return ranges.stream().map(HourRange::text).collect(Collectors.joining(", "));
  }
}
