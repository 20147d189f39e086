package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.json.JsonReading;
import io.gpureclaimer.reclaimer.json.MalformedJson;
import java.util.Optional;

/** Finds the record in a line: of a file of records, or of the program's log in either format. */
public final class LogLine {
  private static final String BEGINNING = "{\"schema\":";
  private static final String MESSAGE = "formattedMessage";

  private LogLine() {}

  /** The record's text; empty if the line holds none. */
  public static Optional<String> record(String line) {
    int start = line.indexOf(BEGINNING);
    return start >= 0 ? Optional.of(line.substring(start)) : inMessage(line);
  }

  private static Optional<String> inMessage(String line) {
    if (!line.startsWith("{") || !line.contains(MESSAGE)) {
      return Optional.empty();
    }
    try {
      return JsonReading.of(line)
          .optional(MESSAGE, name -> JsonReading.of(line).text(name))
          .filter(message -> message.startsWith(BEGINNING));
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }
}
