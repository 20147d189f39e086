package io.gpureclaimer.exporter.sample;

/**
 * Text as it can be served: half a character, which UTF-8 has no bytes for, becomes the character
 * that stands for what cannot be told. Done before texts are compared, for two that differ in
 * nothing else would be served as one.
 */
final class WellFormed {
  private static final int UNTOLD = 0xFFFD;

  private WellFormed() {}

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
