package io.gpureclaimer.reclaimer.notify;

import java.time.Duration;
import java.util.Optional;

/** What came of one try to deliver a message. */
sealed interface Delivery {

  /** The receiver has taken it. */
  record Accepted() implements Delivery {}

  /**
   * It has not, or nobody knows.
   *
   * @param why in words that hold no secret
   * @param retryAfter how long it wants to be left alone
   */
  record Refused(String why, Optional<Duration> retryAfter) implements Delivery {}
}
