package io.gpureclaimer.deviceplugin.nodeconfig;

import io.gpureclaimer.deviceplugin.nodeconfig.NodeLabelSource.NodeLabel;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects a configuration: by the label, the default, or the first matching fallback. A name that
 * no file has is never passed over.
 *
 * @param labelKey the label's key, for messages
 * @param defaultName what a Node without the label gets; null for none
 * @param fallbacks in the order in which they are tried
 */
public record ConfigChoice(
    String labelKey, @Nullable String defaultName, List<Fallback> fallbacks) {
  /** The label that NVIDIA's config manager watches. */
  public static final String USUAL_LABEL = "nvidia.com/device-plugin.config";

  private static final String NAMED = "default";

  public ConfigChoice {
    fallbacks = List.copyOf(fallbacks);
    defaultName = defaultName == null || defaultName.isBlank() ? null : defaultName;
  }

  /** Selected configuration. */
  sealed interface Chosen {

    /** This file. */
    record File(String name, String why) implements Chosen {}

    /** Nothing, on purpose. */
    record Empty(String why) implements Chosen {}

    /** There is no choice. */
    record None(String problem) implements Chosen {}
  }

  Chosen among(NodeLabel label, SortedSet<String> files) {
    return switch (label) {
      case NodeLabel.Value(var name) ->
          named(name, "the Node's label " + labelKey + " is " + name, files);
      case NodeLabel.Absent() -> withoutLabel(files);
      case NodeLabel.Unknown(var reason) ->
          new Chosen.None("the Node's label " + labelKey + " is not known: " + reason);
    };
  }

  private Chosen withoutLabel(SortedSet<String> files) {
    if (defaultName != null) {
      return named(
          defaultName,
          "the Node has no label " + labelKey + ", and the default is " + defaultName,
          files);
    }
    for (Fallback fallback : fallbacks) {
      String why = "the Node has no label " + labelKey + ", and the fallback is ";
      switch (fallback) {
        case NAMED -> {
          if (files.contains(NAMED)) {
            return new Chosen.File(NAMED, why + "the file named " + NAMED);
          }
        }
        case SINGLE -> {
          if (files.size() == 1) {
            return new Chosen.File(files.first(), why + "the only file");
          }
        }
        case EMPTY -> {
          return new Chosen.Empty(why + "an empty configuration");
        }
      }
    }
    return new Chosen.None(
        "the Node has no label "
            + labelKey
            + ", there is no default, and none of the fallbacks "
            + fallbacks.stream().map(Fallback::text).toList()
            + " fits the files "
            + files);
  }

  private static Chosen named(String name, String why, SortedSet<String> files) {
    return files.contains(name)
        ? new Chosen.File(name, why)
        : new Chosen.None(why + ", but there are only the files " + files);
  }

  /** Fallback if neither label nor default select a configuration. */
  public enum Fallback {
    /** The file named {@code default}. */
    NAMED("named"),
    /** The only file there is. */
    SINGLE("single"),
    /** A configuration with nothing in it. */
    EMPTY("empty");

    private final String text;

    Fallback(String text) {
      this.text = text;
    }

    /** As users spell it. */
    public String text() {
      return text;
    }

    /**
     * Reads a list of them.
     *
     * @throws IllegalArgumentException in one line that names the one that is none
     */
    public static List<Fallback> all(List<String> texts) {
      return texts.stream().map(Fallback::of).toList();
    }

    private static Fallback of(String text) {
      return Arrays.stream(values())
          .filter(fallback -> fallback.text.equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "a fallback strategy must be one of "
                          + Arrays.stream(values())
                              .map(Fallback::text)
                              .collect(Collectors.joining(", "))
                          + ", was \""
                          + text
                          + '"'));
    }
  }
}
