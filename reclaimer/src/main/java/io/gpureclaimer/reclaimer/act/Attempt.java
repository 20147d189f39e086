package io.gpureclaimer.reclaimer.act;

import java.time.Duration;
import java.util.Optional;

/** How one call of a verb ended. */
sealed interface Attempt {

  /** The API server accepted. */
  record Accepted() implements Attempt {}

  /** Not now; at the earliest after {@code retryAfter}. */
  record Blocked(Optional<Duration> retryAfter, String message) implements Attempt {}

  /** What was to be acted on is not there any more, or is not what was looked at. */
  record Missed(String why) implements Attempt {}

  /** The API server refuses for another reason. */
  record Refused(String why) implements Attempt {}
}
