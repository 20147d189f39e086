package io.gpureclaimer.reclaimer.evidence.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A text in the Prometheus text format, version 0.0.4, read or not. */
public sealed interface Exposition {

  /** All of it is well-formed; {@code samples} are those of the wanted metrics, in its order. */
  record Samples(List<TextSample> samples) implements Exposition {
    public Samples {
      samples = List.copyOf(samples);
    }
  }

  /**
   * One line is not, so that nothing of the text is believed, as Prometheus does.
   *
   * @param line counted from one
   * @param why what was expected there
   */
  record Malformed(int line, String why) implements Exposition {}

  /** Reads a whole text. Any text has an answer. */
  static Exposition of(String text, Set<String> wanted) {
    if (!text.isEmpty() && !text.endsWith("\n")) {
      return new Malformed((int) text.lines().count(), "an end of line: the text was cut off");
    }
    var samples = new ArrayList<TextSample>();
    int number = 0;
    for (int start = 0; start < text.length(); ) {
      int end = text.indexOf('\n', start);
      number++;
      try {
        Optional<TextSample> sample = new LineReader(text.substring(start, end)).read();
        sample.filter(found -> wanted.contains(found.name())).ifPresent(samples::add);
      } catch (MalformedLine e) {
        return new Malformed(number, String.valueOf(e.getMessage()));
      }
      start = end + 1;
    }
    return new Samples(samples);
  }
}
