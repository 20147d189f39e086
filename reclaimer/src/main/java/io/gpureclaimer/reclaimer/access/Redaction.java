package io.gpureclaimer.reclaimer.access;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces the names of objects in namespaces that a reader may not see.
 *
 * @param hidden those namespaces
 */
public record Redaction(Set<String> hidden) {
  /** For a reader who may see all namespaces. */
  public static final Redaction NONE = new Redaction(Set.of());

  private static final Pattern NAMESPACE_AND_NAME =
      Pattern.compile(
          "(?<![A-Za-z0-9_./-])([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?");
  private static final String REPLACEMENT = "of another namespace";

  public Redaction {
    hidden = Set.copyOf(hidden);
  }

  /** The text with each {@code NAMESPACE/NAME} of a hidden namespace replaced. */
  public String redacted(String text) {
    return hidden.isEmpty()
        ? text
        : NAMESPACE_AND_NAME
            .matcher(text)
            .replaceAll(
                match ->
                    hidden.contains(match.group(1))
                        ? REPLACEMENT
                        : Matcher.quoteReplacement(match.group()));
  }
}
