package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds why the status of a record cannot be relied on: people may edit it, and other versions may
 * write it. The former values of a record that is not whole would restore something else.
 */
final class RecordValidation {
  private static final List<String> NAMES = List.of("apiVersion", "kind", "name", "uid");

  private static final int LONGEST = 100;

  private RecordValidation() {}

  /** The first flaw; empty if there is none, or no status yet. */
  static Optional<String> in(JsonNode status) {
    if (status.isEmpty()) {
      return Optional.empty();
    }
    JsonNode changes = status.path("changes");
    return Stream.of(
            flaw(
                ReclamationState.of(status.path("state").asText()).isPresent(),
                "status.state",
                "a known state",
                status.path("state")),
            ofObject("status.owner", status.path("owner")),
            flaw(
                changes.isEmpty() == isEviction(status),
                "status.changes",
                isEviction(status) ? "none by an eviction" : "at least one change",
                changes),
            IntStream.range(0, changes.size())
                .boxed()
                .flatMap(i -> ofChange("status.changes[" + i + "]", changes.path(i)).stream())
                .findFirst())
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static boolean isEviction(JsonNode status) {
    return status.at("/owner/kind").asText().equals("Pod");
  }

  private static Optional<String> ofChange(String where, JsonNode change) {
    JsonNode path = change.path("path");
    return ofObject(where, change)
        .or(() -> flaw(path.asText().matches("(/[^/]+)+"), where + ".path", "a JSON pointer", path))
        .or(() -> ofValue(where + ".former", change.path("former")))
        .or(() -> ofValue(where + ".written", change.path("written")))
        .or(
            () ->
                change.has("resumed")
                    ? ofValue(where + ".resumed", change.path("resumed"))
                    : Optional.empty());
  }

  private static Optional<String> ofObject(String where, JsonNode object) {
    return NAMES.stream()
        .flatMap(
            name -> {
              JsonNode value = object.path(name);
              boolean isThere = value.isTextual() && !value.asText().isEmpty();
              return flaw(isThere, where + "." + name, "a name", value).stream();
            })
        .findFirst();
  }

  /** A value that is missing is not an absent field. */
  private static Optional<String> ofValue(String where, JsonNode value) {
    boolean isAbsent = value.path("absent").asBoolean(false);
    JsonNode text = value.path("value");
    return flaw(
        isAbsent ? text.isMissingNode() : text.isTextual() && isJson(text.asText()),
        where,
        "a value as JSON text, or absent",
        value);
  }

  private static boolean isJson(String text) {
    try {
      return !ObjectParser.tree(text).isMissingNode();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Optional<String> flaw(
      boolean isRight, String where, String expected, JsonNode found) {
    return isRight
        ? Optional.empty()
        : Optional.of(
            where
                + ": expected "
                + expected
                + ", found "
                + (found.isMissingNode() ? "nothing" : start(found.toString())));
  }

  private static String start(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
