package io.gpureclaimer.reclaimer.page;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A sentence in pieces, so that a page can show its times in the zone of the reader. */
public final class TimesInText {
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z");

  private TimesInText() {}

  /**
   * A piece of a sentence.
   *
   * @param isTime whether it is a time in UTC, as in {@code 2026-03-02T12:00:00Z}
   */
  public record Piece(String text, boolean isTime) {}

  /** The pieces in their order; together they are the text. */
  public static List<Piece> in(String text) {
    var pieces = new ArrayList<Piece>();
    Matcher time = TIME.matcher(text);
    int end = 0;
    while (time.find()) {
      if (time.start() > end) {
        pieces.add(new Piece(text.substring(end, time.start()), false));
      }
      pieces.add(new Piece(time.group(), true));
      end = time.end();
    }
    if (end < text.length()) {
      pieces.add(new Piece(text.substring(end), false));
    }
    return pieces;
  }
}
