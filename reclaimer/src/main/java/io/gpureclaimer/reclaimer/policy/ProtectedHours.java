package io.gpureclaimer.reclaimer.policy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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

  /**
   * Hours on some days of the week, by the wall clocks of a place. When these are put forward or
   * back, the hours go with them.
   *
   * @param firstDay the first day on which it begins
   * @param lastDay the last day on which it begins; before the first, it is one of the next week
   * @param from when it begins, in minutes of the day
   * @param to when it is over, in minutes of the day; what is not after {@code from} is on the next
   *     day
   */
  public record HourRange(DayOfWeek firstDay, DayOfWeek lastDay, int from, int to, ZoneId zone) {
    private static final int HOUR = 60;
    private static final int DAY = 24 * HOUR;
    private static final Set<String> ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());

    /** The same as in the admission policy, where the zone is not looked up. */
    private static final Pattern GRAMMAR =
        Pattern.compile(
            "(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:-(Mon|Tue|Wed|Thu|Fri|Sat|Sun))?"
                + " ([01][0-9]|2[0-3]):([0-5][0-9])-(?:([01][0-9]|2[0-3]):([0-5][0-9])|24:00)"
                + " ([A-Za-z][A-Za-z0-9_+/-]*)");

    public HourRange {
      if (from < 0 || from >= DAY || to < 0 || to > DAY) {
        throw new IllegalArgumentException("expected minutes of a day, was " + from + " to " + to);
      }
    }

    /** The range, or nothing where the text is not exactly one. */
    public static Optional<HourRange> of(String text) {
      return Optional.of(GRAMMAR.matcher(text))
          .filter(match -> match.matches())
          .filter(match -> ZONES.contains(match.group(7)))
          .map(HourRange::of);
    }

    private static HourRange of(MatchResult match) {
      DayOfWeek first = day(match.group(1));
      return new HourRange(
          first,
          match.group(2) == null ? first : day(match.group(2)),
          minutes(match.group(3), match.group(4)),
          match.group(5) == null ? DAY : minutes(match.group(5), match.group(6)),
          ZoneId.of(match.group(7)));
    }

    /** Whether the wall clocks show one of these hours at this moment. */
    boolean contains(Instant now) {
      LocalDateTime local = LocalDateTime.ofInstant(now, zone);
      int minute = local.getHour() * HOUR + local.getMinute();
      boolean overNight = to <= from;
      boolean begunToday = isDay(local.getDayOfWeek()) && minute >= from;
      boolean begunYesterday = overNight && isDay(local.getDayOfWeek().minus(1));
      return (begunToday && (overNight || minute < to)) || (begunYesterday && minute < to);
    }

    /** As people write it. */
    public String text() {
      String days = firstDay == lastDay ? name(firstDay) : name(firstDay) + "-" + name(lastDay);
      return days + " " + clock(from) + "-" + clock(to) + " " + zone.getId();
    }

    private boolean isDay(DayOfWeek day) {
      return daysSinceFirst(day) <= daysSinceFirst(lastDay);
    }

    private int daysSinceFirst(DayOfWeek day) {
      return Math.floorMod(day.getValue() - firstDay.getValue(), 7);
    }

    private static int minutes(String hours, String minutes) {
      return Integer.parseInt(hours) * HOUR + Integer.parseInt(minutes);
    }

    private static String clock(int minutes) {
      return String.format(Locale.ROOT, "%02d:%02d", minutes / HOUR, minutes % HOUR);
    }

    private static DayOfWeek day(String name) {
      return Arrays.stream(DayOfWeek.values())
          .filter(day -> name(day).equals(name))
          .findFirst()
          .orElseThrow();
    }

    private static String name(DayOfWeek day) {
      return day.name().charAt(0) + day.name().substring(1, 3).toLowerCase(Locale.ROOT);
    }
  }
}
