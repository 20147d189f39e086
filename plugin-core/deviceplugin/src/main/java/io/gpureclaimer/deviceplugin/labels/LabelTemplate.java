package io.gpureclaimer.deviceplugin.labels;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A label of the user's own, such as {@code gpu-type} with the value <code>{model:lower}</code>.
 * Where one of its facts is not told, the node does not get the label.
 */
public final class LabelTemplate {
  private static final Pattern FACT = Pattern.compile("\\{([^{}]*)\\}");
  private static final String LOWER = ":lower";

  /** Standard labels live here: a template must not say otherwise. */
  private static final Pattern STANDARD =
      Pattern.compile("nvidia\\.com/(gpu|mig|mps|cuda|vgpu|gfd)[.-].*");

  private static final Set<String> RESERVED = Set.of("kubernetes.io", "k8s.io");

  private final String key;
  private final List<Piece> pieces;

  private LabelTemplate(String key, List<Piece> pieces) {
    this.key = key;
    this.pieces = pieces;
  }

  /** A stretch of the value. */
  private sealed interface Piece {

    /** As it was written. */
    record Text(String text) implements Piece {}

    /** What the node says. */
    record Told(TemplateFact fact, boolean lower) implements Piece {}
  }

  /**
   * Reads one.
   *
   * @param key of the label
   * @param text its value, with names of facts in braces
   * @throws IllegalArgumentException in one line that names the key and what is wrong
   */
  public static LabelTemplate of(String key, String text) {
    checkKey(key);
    List<Piece> pieces = new ArrayList<>();
    Matcher fact = FACT.matcher(text);
    int end = 0;
    while (fact.find()) {
      pieces.add(literal(key, text.substring(end, fact.start())));
      pieces.add(told(key, fact.group(1)));
      end = fact.end();
    }
    pieces.add(literal(key, text.substring(end)));
    return new LabelTemplate(key, pieces);
  }

  /** All of them, in the order of their keys. */
  public static List<LabelTemplate> all(Map<String, String> byKey) {
    return byKey.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> of(entry.getKey(), entry.getValue()))
        .toList();
  }

  void write(LabelSheet sheet, Models models) {
    NodeLabels standard = sheet.labels();
    var value = new StringBuilder();
    for (Piece piece : pieces) {
      Optional<String> said =
          switch (piece) {
            case Piece.Text(var text) -> Optional.of(text);
            case Piece.Told(var fact, var lower) ->
                fact.of(standard, models).map(it -> lower ? it.toLowerCase(Locale.ROOT) : it);
          };
      if (said.isEmpty()) {
        return;
      }
      value.append(said.get());
    }
    sheet.putText(key, value.toString());
  }

  private static void checkKey(String key) {
    if (!LabelGrammar.isKey(key)) {
      throw new IllegalArgumentException(
          "the label \""
              + key
              + "\" must have a key such as gpu-type or example.com/gpu-type: a domain and a slash,"
              + " which may be left out, and at most 63 letters, digits, '-', '_' and '.'");
    }
    if (STANDARD.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "the label " + key + " must not have a key that begins as the standard labels do");
    }
    String domain = key.substring(0, Math.max(0, key.indexOf('/')));
    if (RESERVED.stream().anyMatch(it -> domain.equals(it) || domain.endsWith('.' + it))) {
      throw new IllegalArgumentException(
          "the label " + key + " must not be in a domain that Kubernetes keeps for itself");
    }
  }

  private static Piece literal(String key, String text) {
    if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "the label "
              + key
              + " must have a fact's name in each pair of braces, was \""
              + text
              + '"');
    }
    return new Piece.Text(text);
  }

  private static Piece told(String key, String name) {
    boolean lower = name.endsWith(LOWER);
    String fact = lower ? name.substring(0, name.length() - LOWER.length()) : name;
    return TemplateFact.named(fact)
        .map(known -> new Piece.Told(known, lower))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the label "
                        + key
                        + " must name facts that there are ("
                        + String.join(", ", TemplateFact.names())
                        + ", each also with "
                        + LOWER
                        + "), was {"
                        + name
                        + '}'));
  }
}
