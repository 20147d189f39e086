package io.gpureclaimer.verification;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Words and phrases of {@code prose/banned-words.txt}.
 *
 * @param any finds whether a text has one of them
 * @param instead what to write, by the pattern of the banned word
 */
record BannedWords(Pattern any, Map<Pattern, String> instead) {
  private static final Path FILE = Path.of("src/test/resources/prose/banned-words.txt");
  private static final Pattern WORD_IN_NAME =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+");

  static BannedWords load() throws IOException {
    var words = new LinkedHashMap<Pattern, String>();
    for (String line : Files.readAllLines(FILE)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split("\\|", 2);
        words.put(
            Pattern.compile(
                "(?<![\\w-])" + parts[0].strip().replace(" ", "\\s+") + "(?![\\w-])",
                Pattern.CASE_INSENSITIVE),
            parts[1].strip());
      }
    }
    String any = words.keySet().stream().map(Pattern::pattern).collect(joining("|"));
    return new BannedWords(Pattern.compile(any, Pattern.CASE_INSENSITIVE), words);
  }

  /** One message for each banned word of a text that stands in {@code place}. */
  Stream<String> in(String place, String text) {
    if (!any.matcher(text).find()) {
      return Stream.empty();
    }
    return instead.entrySet().stream()
        .flatMap(
            word ->
                word.getKey()
                    .matcher(text)
                    .results()
                    .map(found -> message(place, found, word.getValue(), text)));
  }

  /** One message for each banned word in the camel-case parts of {@code name}. */
  Stream<String> inName(String place, String name) {
    String words = WORD_IN_NAME.matcher(name).replaceAll(" ").toLowerCase(Locale.ROOT);
    return in(place + ": " + name, words);
  }

  private static String message(String place, MatchResult found, String instead, String text) {
    return place + ": not \"" + found.group() + "\" but " + instead + ": " + text;
  }
}
