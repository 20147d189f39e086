package io.gpureclaimer.exporter.sample;

/**
 * Replaces unpaired surrogates by U+FFFD, because UTF-8 cannot encode them. Done before texts are
 * compared: two that differ only there would be served as one.
 */
final class WellFormedText {
  private static final int UNTOLD = 0xFFFD;

  private WellFormedText() {}

  static String of(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (Character.isSurrogate(text.charAt(at))) {
        return text.codePoints()
            .map(point -> Character.getType(point) == Character.SURROGATE ? UNTOLD : point)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text;
  }
}
