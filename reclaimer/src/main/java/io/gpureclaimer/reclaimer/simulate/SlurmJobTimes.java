package io.gpureclaimer.reclaimer.simulate;

import static io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow.invalid;

import io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Times of a Slurm job. The list has local times without their offset, which are taken as UTC.
 *
 * @param submit when it was submitted; of a job that was queued again, when that was
 * @param start when it got its nodes; empty if it never did
 * @param end when it ended; empty while it is pending or runs
 * @param elapsed for how long it ran, without the time for which it was suspended
 * @param limit after which Slurm ends it; empty if it has none
 */
record SlurmJobTimes(
    Instant submit,
    Optional<Instant> start,
    Optional<Instant> end,
    Duration elapsed,
    Optional<Duration> limit) {
  private static final String STATE = "State";
  private static final String START = "Start";
  private static final String END = "End";
  private static final String ELAPSED = "Elapsed";

  private static final Set<String> PENDING =
      Set.of("PENDING", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT");
  private static final Set<String> RUNNING =
      Set.of(
          "COMPLETING",
          "CONFIGURING",
          "EXPEDITING",
          "POWER_UP_NODE",
          "RESIZING",
          "RUNNING",
          "SIGNALING",
          "STAGE_OUT",
          "STOPPED",
          "SUSPENDED",
          "UPDATE_DB");
  private static final Set<String> ENDED =
      Set.of(
          "BOOT_FAIL",
          "CANCELLED",
          "COMPLETED",
          "DEADLINE",
          "FAILED",
          "LAUNCH_FAILED",
          "NODE_FAIL",
          "OUT_OF_MEMORY",
          "PREEMPTED",
          "RECONFIG_FAIL",
          "REQUEUED",
          "REVOKED",
          "TIMEOUT");

  private static final Set<String> NO_TIME = Set.of("Unknown", "None");
  private static final Set<String> NO_LIMIT = Set.of("UNLIMITED", "Partition_Limit");
  private static final Pattern PERIOD =
      Pattern.compile("(?:(?:(\\d{1,4})-)?(\\d{1,4}):)?(\\d{1,2}):(\\d{2})(?:\\.\\d+)?");

  private static final int FIRST_YEAR = 2000;
  private static final int LAST_YEAR = 2100;

  /** A change of the clock makes local times look as much closer or further apart. */
  private static final Duration CLOCK_CHANGE = Duration.ofHours(1);

  static SlurmJobTimes of(CsvRow row) {
    Instant submit =
        time(row, "Submit").orElseThrow(() -> invalid("Submit", "expected a time, found none"));
    Optional<Instant> start = time(row, START);
    Optional<Instant> end = time(row, END);
    Duration elapsed = period(ELAPSED, row.required(ELAPSED));
    requireState(row.required(STATE), start, end);
    requireOrder(submit, start, end, elapsed);
    return new SlurmJobTimes(submit, start, end, elapsed, limit(row));
  }

  private static Optional<Instant> time(CsvRow row, String column) {
    return row.text(column).filter(text -> !NO_TIME.contains(text)).map(text -> time(column, text));
  }

  private static Instant time(String column, String text) {
    try {
      var time = LocalDateTime.parse(text);
      require(
          time.getYear() >= FIRST_YEAR && time.getYear() < LAST_YEAR,
          column,
          "expected a time of this century, found " + text);
      return time.toInstant(ZoneOffset.UTC);
    } catch (DateTimeException _) {
      throw invalid(column, "expected a time like 2026-03-02T18:00:00 or Unknown, found " + text);
    }
  }

  private static Duration period(String column, String text) {
    Matcher parts = PERIOD.matcher(text);
    if (!parts.matches()) {
      throw invalid(column, "expected a time like 1-02:30:00, found " + text);
    }
    return Duration.ofDays(number(parts.group(1)))
        .plusHours(number(parts.group(2)))
        .plusMinutes(number(parts.group(3)))
        .plusSeconds(number(parts.group(4)));
  }

  private static long number(@Nullable String text) {
    return text == null ? 0 : Long.parseLong(text);
  }

  private static Optional<Duration> limit(CsvRow row) {
    return row.text("Timelimit")
        .filter(text -> !NO_LIMIT.contains(text))
        .map(text -> period("Timelimit", text));
  }

  /** A state such as {@code CANCELLED by 1000} says more than its name. */
  private static void requireState(String text, Optional<Instant> start, Optional<Instant> end) {
    String state = text.replaceAll("[ +].*", "");
    if (ENDED.contains(state)) {
      require(end.isPresent(), END, "expected a time of a job that is " + state + ", found none");
    } else if (RUNNING.contains(state)) {
      require(
          start.isPresent(), START, "expected a time of a job that is " + state + ", found none");
      require(end.isEmpty(), END, "expected Unknown of a job that is " + state + ", found a time");
    } else if (PENDING.contains(state)) {
      require(
          start.isEmpty(), START, "expected Unknown of a job that is " + state + ", found a time");
    } else {
      throw invalid(STATE, "expected a state of Slurm like COMPLETED, found " + text);
    }
  }

  private static void requireOrder(
      Instant submit, Optional<Instant> start, Optional<Instant> end, Duration elapsed) {
    start
        .filter(submit::isAfter)
        .ifPresent(
            at -> {
              throw invalid(START, "expected a time from Submit " + submit + " on, found " + at);
            });
    end.filter(start.orElse(submit)::isAfter)
        .ifPresent(
            at -> {
              throw invalid(
                  END,
                  "expected a time from "
                      + (start.isPresent() ? "Start " : "Submit ")
                      + start.orElse(submit)
                      + " on, found "
                      + at);
            });
    if (start.isPresent() && end.isPresent()) {
      Duration most = Duration.between(start.get(), end.get());
      require(
          elapsed.compareTo(most.plus(CLOCK_CHANGE)) <= 0,
          ELAPSED,
          "expected at most the "
              + most.toSeconds()
              + "s from Start to End, found "
              + elapsed.toSeconds()
              + "s");
    }
  }

  private static void require(boolean isTrue, String column, String message) {
    if (!isTrue) {
      throw invalid(column, message);
    }
  }

  /** Whether it ended before it ran for a second. */
  boolean isNeverRun() {
    return end.isPresent() && elapsed.isZero();
  }

  boolean isPending() {
    return start.isEmpty();
  }

  boolean isRunning() {
    return start.isPresent() && end.isEmpty();
  }

  /** Whether it runs for longer than it may, which Slurm does not allow for long. */
  boolean isBeyondLimit() {
    return isRunning() && limit.filter(most -> elapsed.compareTo(most) > 0).isPresent();
  }

  /** Whether it did not run all the time from its start to its end. */
  boolean wasSuspended() {
    return start.isPresent()
        && end.filter(at -> start.get().plus(elapsed).plusSeconds(1).isBefore(at)).isPresent();
  }

  /** Whether both ran at the same time. */
  boolean overlaps(SlurmJobTimes other) {
    Instant from = start.orElse(submit);
    Instant otherFrom = other.start.orElse(other.submit);
    return from.isBefore(other.end.orElse(Instant.MAX))
        && otherFrom.isBefore(end.orElse(Instant.MAX));
  }

  /** Everything that is known to have happened. */
  Stream<Instant> events() {
    return Stream.of(
            Optional.of(submit),
            start,
            end,
            start.filter(_ -> isRunning()).map(at -> at.plus(elapsed)))
        .flatMap(Optional::stream);
  }

  /** How long it takes if it takes as long as it may; what is not limited takes to the end. */
  Duration duration(Instant horizon) {
    if (end.isPresent()) {
      return elapsed;
    }
    Duration most =
        limit.orElseGet(
            () -> start.isPresent() ? Duration.between(start.get(), horizon) : Duration.ZERO);
    return most.compareTo(elapsed) > 0 ? most : elapsed;
  }
}
