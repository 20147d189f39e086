package io.gpureclaimer.reclaimer.request;

import java.util.Locale;

/**
 * Reply to a request of a person.
 *
 * @param sentence for the person, with the final stop
 */
public record RequestReply(RequestOutcome outcome, String sentence) {

  /** Result of a request. */
  public enum RequestOutcome {
    /** It is done, or follows in the next cycle. */
    ACCEPTED,
    /** The person has no right to it. */
    FORBIDDEN,
    /** It cannot be done as requested; the sentence says what can. */
    REFUSED,
    /** The object no longer exists. */
    GONE,
    /** The API server did not store it. */
    FAILED;

    /** Stable name, for metrics. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
