package io.gpureclaimer.verification.scenario.harness;

import java.time.Duration;
import java.util.List;

/**
 * How fast a reclaimer goes through its ladder, in a test that has no hours.
 *
 * @param idleAfter how long a pod must have been idle
 * @param warnBefore how long before that it is warned
 * @param interval between two cycles
 */
public record ShortIntervals(Duration idleAfter, Duration warnBefore, Duration interval) {

  /** How long a Lease outlives its holder, and between two attempts to get it. */
  public static final Duration LEASE = Duration.ofSeconds(6);

  public static final Duration LEASE_RETRY = Duration.ofSeconds(1);

  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(3);
  private static final Duration REQUEST = Duration.ofSeconds(3);

  /** With a cycle every second. */
  public ShortIntervals(Duration idleAfter, Duration warnBefore) {
    this(idleAfter, warnBefore, Duration.ofSeconds(1));
  }

  /** What is no flag is a property; users set these in the same way. */
  List<String> properties() {
    return List.of(
        "-Dleader.duration=" + LEASE,
        "-Dleader.renew-deadline=" + RENEW_DEADLINE,
        "-Dleader.retry-period=" + LEASE_RETRY,
        "-Dkubernetes.request-timeout=" + REQUEST);
  }

  List<String> flags() {
    return List.of(
        "--interval=" + seconds(interval),
        "--idle-after=" + seconds(idleAfter),
        "--min-idle-after=" + seconds(idleAfter),
        "--warn-before=" + seconds(warnBefore),
        "--min-warn-before=" + seconds(warnBefore),
        "--settle-after-start=0s",
        "--min-coverage=0",
        "--max-idle-jump=1",
        "--max-evictions-per-hour=1000000",
        "--max-namespace-evictions-per-hour=1000000",
        "--max-owner-evictions-per-day=1000000",
        "--max-gpu-share-per-hour=1",
        "--startup-grace=0s");
  }

  private static String seconds(Duration duration) {
    return duration.toSeconds() + "s";
  }
}
