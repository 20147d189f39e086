package io.gpureclaimer.reclaimer.json;

import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.exceptions.SerdeException;
import io.micronaut.serde.exceptions.path.CollectionItemReferencePath;
import io.micronaut.serde.exceptions.path.MapItemReferencePath;
import io.micronaut.serde.exceptions.path.PropertyReferencePath;
import io.micronaut.serde.exceptions.path.ReferencePath;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * JSON of {@code @Serdeable} records: members in the order of the components, absent values left
 * out, map entries sorted by key, instants and durations in ISO 8601.
 *
 * <p>The mapper has a bean context of its own, because some commands run without the program's.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      ObjectMapper.create(
          Map.of(
              "micronaut.serde.deserialization.strict-nullable", true,
              "micronaut.serde.serialization.inclusion", "NON_ABSENT",
              "micronaut.serde.serialization.write-sorted-map-entries", true),
          "io.gpureclaimer.reclaimer.json",
          "io.gpureclaimer.reclaimer.audit.record");
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final DefaultPrettyPrinter INDENTED =
      new DefaultPrettyPrinter()
          .withObjectIndenter(new DefaultIndenter("  ", "\n"))
          .withArrayIndenter(new DefaultIndenter("  ", "\n"));

  private Json() {}

  /** The text is not JSON, or not of the expected shape. */
  public static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final Pattern MISSING =
        Pattern.compile("Null argument specified for \\[(\\w+)]");

    Malformed(Exception cause) {
      super(message(cause), cause);
    }

    /** What was found where; without the position in the text, which says less than the path. */
    private static String message(Exception cause) {
      Throwable reason = cause.getCause() instanceof IllegalArgumentException ours ? ours : cause;
      String text = String.valueOf(reason.getMessage());
      var missing = MISSING.matcher(text);
      String path = path(cause);
      if (missing.find()) {
        return path + "." + missing.group(1) + ": expected a value, found none";
      }
      return (path.isEmpty() ? "" : path + ": ") + text.lines().findFirst().orElse("").strip();
    }

    private static String path(Exception cause) {
      var path = new StringBuilder();
      if (cause instanceof SerdeException at) {
        for (ReferencePath part : at.getPath().reversed()) {
          path.append(
              switch (part) {
                case CollectionItemReferencePath item -> "[" + item.index() + "]";
                case MapItemReferencePath entry -> "." + entry.key();
                case PropertyReferencePath property -> "." + property.getArgument().getName();
              });
        }
      }
      return path.isEmpty() ? "" : path.substring(1);
    }
  }

  /** One line, without a line feed. */
  public static String line(Object value) {
    try {
      return new String(MAPPER.writeValueAsBytes(value), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a " + value.getClass().getName(), e);
    }
  }

  /** Indented for people, ended by a line feed. */
  public static String indented(Object value) {
    var text = new StringWriter();
    try (var from = FACTORY.createParser(ObjectReadContext.empty(), line(value));
        var into = FACTORY.createGenerator(new Indenting(), text)) {
      while (from.nextToken() != null) {
        into.copyCurrentEvent(from);
      }
    }
    return text + "\n";
  }

  /**
   * The record that the text holds; members that the record does not have are ignored.
   *
   * @throws Malformed if the text does not hold one
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      T value = Objects.requireNonNull(MAPPER.readValue(text, Argument.of(type)), "value");
      JsonNode given = MAPPER.readValue(text, Argument.of(JsonNode.class));
      requireNumbers("", MAPPER.writeValueToTree(value), given);
      return value;
    } catch (IOException | JacksonException | IllegalArgumentException | NullPointerException e) {
      throw new Malformed(e);
    }
  }

  /** Refuses a text without a number or truth value of the record, which reads as 0 or false. */
  private static void requireNumbers(String path, JsonNode expected, @Nullable JsonNode given) {
    if (given == null) {
      if (expected.isNumber() || expected.isBoolean()) {
        throw new IllegalArgumentException(path.substring(1) + ": expected a value, found none");
      }
    } else if (expected.isObject() && given.isObject()) {
      expected
          .entries()
          .forEach(
              entry ->
                  requireNumbers(
                      path + "." + entry.getKey(), entry.getValue(), given.get(entry.getKey())));
    } else if (expected.isArray() && given.isArray()) {
      for (int i = 0; i < Math.min(expected.size(), given.size()); i++) {
        requireNumbers(path + "[" + i + "]", Objects.requireNonNull(expected.get(i)), given.get(i));
      }
    }
  }

  private static final class Indenting extends ObjectWriteContext.Base {
    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }

    @Override
    public PrettyPrinter getPrettyPrinter() {
      return INDENTED.createInstance();
    }
  }
}
