package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Core Events, as kubectl describe shows them. */
public final class CoreEvents {
  private static final int LONGEST_MESSAGE = 1024;

  private CoreEvents() {}

  /**
   * An Event that is still without a name and a namespace.
   *
   * @param about on what people shall read it
   * @param component who says it
   * @param warning whether a user has to act
   * @param reason in one word
   * @param message for people; what is longer than the API server takes is cut
   * @param at when it happened
   */
  public static EventBuilder about(
      ObjectReference about,
      String component,
      boolean warning,
      String reason,
      String message,
      Instant at) {
    String time = at.truncatedTo(ChronoUnit.SECONDS).toString();
    return new EventBuilder()
        .withInvolvedObject(about)
        .withType(warning ? "Warning" : "Normal")
        .withReason(reason)
        .withMessage(atMost(LONGEST_MESSAGE, message))
        .withNewSource()
        .withComponent(component)
        .endSource()
        .withReportingComponent(component)
        .withFirstTimestamp(time)
        .withLastTimestamp(time)
        .withCount(1);
  }

  private static String atMost(int length, String text) {
    return text.length() <= length ? text : text.substring(0, length);
  }
}
