package io.gpureclaimer.reclaimer.evidence.direct;

import io.gpureclaimer.reclaimer.evidence.MetricSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Parser of the Prometheus text format, version 0.0.4. */
public final class ExpositionParser {
  private ExpositionParser() {}

  /** Result of parsing a text. */
  public sealed interface Parsed {

    /** A well-formed text, and its samples of the wanted metrics, in its order. */
    record Samples(List<MetricSample> samples) implements Parsed {
      public Samples {
        samples = List.copyOf(samples);
      }
    }

    /**
     * A text with a malformed line, of which nothing is believed, as in Prometheus.
     *
     * @param line counted from one
     * @param why what was expected there
     */
    record Malformed(int line, String why) implements Parsed {}
  }

  /**
   * Parses a whole text. Any text has a result.
   *
   * @param at when it was scraped
   */
  public static Parsed parse(String text, Set<String> wanted, Instant at) {
    if (!text.isEmpty() && !text.endsWith("\n")) {
      return new Parsed.Malformed(
          (int) text.lines().count(), "an end of line: the text was cut off");
    }
    var samples = new ArrayList<MetricSample>();
    int number = 0;
    for (int start = 0; start < text.length(); ) {
      int end = text.indexOf('\n', start);
      number++;
      try {
        new LineParser(text.substring(start, end))
            .parse(at)
            .filter(sample -> wanted.contains(sample.name()))
            .ifPresent(samples::add);
      } catch (MalformedLine e) {
        return new Parsed.Malformed(number, String.valueOf(e.getMessage()));
      }
      start = end + 1;
    }
    return new Parsed.Samples(samples);
  }

  /** Signals a line that the format does not allow; says what was expected. */
  private static final class MalformedLine extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedLine(String expected, int column) {
      super(expected + " at column " + (column + 1));
    }
  }

  /** Parser of one line, from left to right. */
  private static final class LineParser {
    private static final Pattern NUMBER =
        Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern TIMESTAMP = Pattern.compile("-?\\d{1,18}");

    private final String line;
    private int at;

    LineParser(String line) {
      this.line = line;
    }

    /**
     * The sample of this line; nothing if it is a comment or blank.
     *
     * @throws MalformedLine if it is neither
     */
    Optional<MetricSample> parse(Instant answeredAt) throws MalformedLine {
      skipBlanks();
      if (end() || line.charAt(at) == '#') {
        return Optional.empty();
      }
      String name = name("a metric name", true);
      skipBlanks();
      Map<String, String> labels = new HashMap<>();
      if (!end() && line.charAt(at) == '{') {
        labels(labels);
      }
      labels.put(MetricSample.NAME, name);
      skipBlanks();
      double value = number();
      skipBlanks();
      if (!end()) {
        timestamp();
        skipBlanks();
      }
      if (!end()) {
        throw new MalformedLine("the end of the line", at);
      }
      return Optional.of(new MetricSample(labels, value, answeredAt));
    }

    private void labels(Map<String, String> labels) throws MalformedLine {
      expect('{');
      skipBlanks();
      while (peek() != '}') {
        int start = at;
        String name = name("a label name", false);
        skipBlanks();
        expect('=');
        skipBlanks();
        if (labels.put(name, quoted()) != null) {
          throw new MalformedLine("each label once", start);
        }
        skipBlanks();
        if (peek() != '}') {
          expect(',');
          skipBlanks();
        }
      }
      expect('}');
    }

    private String name(String what, boolean colons) throws MalformedLine {
      int start = at;
      while (!end() && isNamePart(line.charAt(at), at > start, colons)) {
        at++;
      }
      if (at == start) {
        throw new MalformedLine(what, at);
      }
      return line.substring(start, at);
    }

    private static boolean isNamePart(char c, boolean digits, boolean colons) {
      return (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || c == '_'
          || (colons && c == ':')
          || (digits && c >= '0' && c <= '9');
    }

    private String quoted() throws MalformedLine {
      expect('"');
      var value = new StringBuilder();
      while (peek() != '"') {
        char c = line.charAt(at++);
        value.append(c == '\\' ? escaped() : c);
      }
      expect('"');
      return value.toString();
    }

    private char escaped() throws MalformedLine {
      char c = peek();
      at++;
      return switch (c) {
        case '\\', '"' -> c;
        case 'n' -> '\n';
        default -> throw new MalformedLine("\\\\, \\\" or \\n", at - 1);
      };
    }

    private double number() throws MalformedLine {
      int start = at;
      String word = word();
      return switch (word) {
        case "NaN" -> Double.NaN;
        case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
        case "-Inf" -> Double.NEGATIVE_INFINITY;
        default -> {
          if (!NUMBER.matcher(word).matches()) {
            throw new MalformedLine("a number", start);
          }
          yield Double.parseDouble(word);
        }
      };
    }

    private void timestamp() throws MalformedLine {
      int start = at;
      if (!TIMESTAMP.matcher(word()).matches()) {
        throw new MalformedLine("a timestamp in milliseconds", start);
      }
    }

    private String word() {
      int start = at;
      while (!end() && !isBlank(line.charAt(at))) {
        at++;
      }
      return line.substring(start, at);
    }

    private void expect(char expected) throws MalformedLine {
      if (peek() != expected) {
        throw new MalformedLine(String.valueOf(expected), at);
      }
      at++;
    }

    private char peek() throws MalformedLine {
      if (end()) {
        throw new MalformedLine("more than the line has", at);
      }
      return line.charAt(at);
    }

    private void skipBlanks() {
      while (!end() && isBlank(line.charAt(at))) {
        at++;
      }
    }

    private static boolean isBlank(char c) {
      return c == ' ' || c == '\t';
    }

    private boolean end() {
      return at == line.length();
    }
  }
}
