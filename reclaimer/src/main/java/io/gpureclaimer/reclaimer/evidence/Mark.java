package io.gpureclaimer.reclaimer.evidence;

import java.time.Instant;

/** What one sample can tell of one GPU in the hands of one pod. */
public enum Mark {
  LAST_ACTIVE("last_active"),
  OBSERVED_SINCE("observed_since"),
  OBSERVED_UNTIL("observed_until"),
  SAMPLED_AT("time of the scrape");

  private final String text;

  Mark(String text) {
    this.text = text;
  }

  /** The word for it in a message. */
  String text() {
    return text;
  }

  /** Of two answers to the same question, the one that makes the GPU look less idle. */
  Instant leastIdle(Instant one, Instant other) {
    boolean later =
        switch (this) {
          case LAST_ACTIVE, OBSERVED_SINCE -> true;
          case OBSERVED_UNTIL, SAMPLED_AT -> false;
        };
    return one.isAfter(other) == later ? one : other;
  }
}
