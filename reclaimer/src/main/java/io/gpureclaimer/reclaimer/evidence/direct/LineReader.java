package io.gpureclaimer.reclaimer.evidence.direct;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads one line of the text format from left to right. Confined to one thread. */
final class LineReader {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern TIMESTAMP = Pattern.compile("-?\\d{1,18}");

  private final String line;
  private int at;

  LineReader(String line) {
    this.line = line;
  }

  /**
   * The sample of this line; nothing if it is a comment or blank.
   *
   * @throws MalformedLine if it is neither
   */
  Optional<TextSample> read() throws MalformedLine {
    skipBlanks();
    if (end() || line.charAt(at) == '#') {
      return Optional.empty();
    }
    String name = name("a metric name", true);
    skipBlanks();
    Map<String, String> labels = !end() && line.charAt(at) == '{' ? labels() : Map.of();
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
    return Optional.of(new TextSample(name, labels, value));
  }

  private Map<String, String> labels() throws MalformedLine {
    var labels = new HashMap<String, String>();
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
    return labels;
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
