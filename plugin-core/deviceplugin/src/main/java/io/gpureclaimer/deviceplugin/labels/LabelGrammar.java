package io.gpureclaimer.deviceplugin.labels;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Rules of Kubernetes for labels, and conversion of texts to them. */
final class LabelGrammar {
  /** The longest value, and the longest name of a key. */
  static final int LONGEST = 63;

  private static final int LONGEST_DOMAIN = 253;
  private static final int HASH_DIGITS = 8;

  private static final Pattern VALUE =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
  private static final Pattern KEY =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern UNKNOWN_CHARACTERS = Pattern.compile("[^A-Za-z0-9-_. ]");
  private static final Pattern BLANKS = Pattern.compile(" +");
  private static final Pattern EDGES = Pattern.compile("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$");

  private LabelGrammar() {}

  static boolean isKey(String text) {
    return KEY.matcher(text).matches() && text.indexOf('/') <= LONGEST_DOMAIN;
  }

  static boolean isValue(String text) {
    return VALUE.matcher(text).matches();
  }

  /** The text as NVIDIA's feature discovery spells it, and never longer than Kubernetes takes. */
  static Optional<String> value(String text) {
    return part(text, LONGEST);
  }

  /**
   * The same for a part of a key, which may be shorter. What is too long ends in a hash of the
   * whole, so that two long texts with one beginning stay two.
   *
   * @return empty if nothing of the text can be said in a label
   */
  static Optional<String> part(String text, int longest) {
    String known = UNKNOWN_CHARACTERS.matcher(text).replaceAll("").strip();
    String joined = EDGES.matcher(BLANKS.matcher(known).replaceAll("-")).replaceAll("");
    return joined.isEmpty() ? Optional.empty() : Optional.of(shortened(joined, longest));
  }

  private static String shortened(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    String head = text.substring(0, longest - HASH_DIGITS - 1);
    return EDGES.matcher(head).replaceAll("") + '-' + hash(text);
  }

  private static String hash(String text) {
    var crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits(crc.getValue(), HASH_DIGITS);
  }
}
