package io.gpureclaimer.exporter.exposition.text;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Converts the text format to OpenMetrics 1.0. There a counter's series end in {@code _total}, and
 * its family does not: a family that the counters file calls a counter, and that is not called so,
 * is {@code unknown}, as is what has the parts of no histogram or summary.
 */
public final class OpenMetrics {
  private static final byte[] END = "# EOF\n".getBytes(UTF_8);
  private static final String TOTAL = "_total";

  private OpenMetrics() {}

  /**
   * A whole answer.
   *
   * @param text families with HELP and TYPE, in the text format
   * @param own more families, which are in OpenMetrics already
   */
  public static TextBuffer of(TextBuffer text, byte[] own) {
    byte[] lines = text.toByteArray();
    var out = new TextBuffer();
    int at = 0;
    while (at < lines.length) {
      int type = lineAfter(lines, at);
      int series = lineAfter(lines, type);
      header(line(lines, at, type), line(lines, type, series), out);
      at = series;
      while (at < lines.length && lines[at] != '#') {
        at = lineAfter(lines, at);
      }
      out.append(lines, series, at);
    }
    return out.append(own).append(END);
  }

  /** {@code # HELP name text} and {@code # TYPE name type}. */
  private static void header(String helpLine, String typeLine, TextBuffer out) {
    String[] help = helpLine.split(" ", 4);
    String name = help[2];
    String type = typeLine.substring(typeLine.lastIndexOf(' ') + 1);
    boolean counts = type.equals("counter") && name.endsWith(TOTAL);
    String family = counts ? name.substring(0, name.length() - TOTAL.length()) : name;
    String meaning = counts || type.equals("gauge") ? type : "unknown";
    String header =
        "# HELP "
            + family
            + " "
            + help[3].replace("\"", "\\\"")
            + "\n# TYPE "
            + family
            + " "
            + meaning
            + "\n";
    out.append(header.getBytes(UTF_8));
  }

  private static String line(byte[] lines, int from, int next) {
    return new String(lines, from, next - from - 1, UTF_8);
  }

  private static int lineAfter(byte[] lines, int from) {
    int at = from;
    while (lines[at] != '\n') {
      at++;
    }
    return at + 1;
  }
}
