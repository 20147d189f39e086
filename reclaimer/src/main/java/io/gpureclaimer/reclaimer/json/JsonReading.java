package io.gpureclaimer.reclaimer.json;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object that was read, asked for its members one by one. Members that nobody asks for do no
 * harm.
 */
public final class JsonReading {
  private final String where;
  private final Map<String, Object> members;

  private JsonReading(String where, Map<String, Object> members) {
    this.where = where;
    this.members = members;
  }

  /**
   * Reads the text of one object.
   *
   * @throws MalformedJson if it is none
   */
  public static JsonReading of(String text) {
    return object("", JsonTree.read(text));
  }

  /** Whether there is such a member. */
  public boolean has(String name) {
    return members.containsKey(name);
  }

  public String text(String name) {
    return typed(name, String.class, "a text");
  }

  public boolean truth(String name) {
    return typed(name, Boolean.class, "true or false");
  }

  public int integer(String name) {
    return Math.toIntExact(typed(name, Long.class, "a whole number"));
  }

  /** A number; one that is none is written as its name. */
  public double number(String name) {
    return switch (member(name)) {
      case Long whole -> whole;
      case Double number -> number;
      case String text -> parsed(name, text, Double::parseDouble, "a number");
      case Object other -> throw malformed(name, "a number", other);
    };
  }

  public Instant instant(String name) {
    return parsed(name, text(name), Instant::parse, "an instant");
  }

  public Duration duration(String name) {
    return parsed(name, text(name), Duration::parse, "a duration");
  }

  public JsonReading object(String name) {
    return object(path(name), member(name));
  }

  /** What is read of the member, if there is one. */
  public <T> Optional<T> optional(String name, Function<String, T> read) {
    return has(name) ? Optional.of(read.apply(name)) : Optional.empty();
  }

  public OptionalInt optionalInteger(String name) {
    return has(name) ? OptionalInt.of(integer(name)) : OptionalInt.empty();
  }

  public OptionalDouble optionalNumber(String name) {
    return has(name) ? OptionalDouble.of(number(name)) : OptionalDouble.empty();
  }

  /** An array of objects. */
  public <T> List<T> list(String name, Function<JsonReading, T> element) {
    var read = new ArrayList<T>();
    for (Object each : array(name)) {
      read.add(element.apply(object(path(name) + "[" + read.size() + "]", each)));
    }
    return read;
  }

  /** An array of texts. */
  public List<String> texts(String name) {
    return array(name).stream().map(each -> cast(name, each, String.class, "a text")).toList();
  }

  /** The members of an object of texts. */
  public Map<String, String> textMap(String name) {
    return map(name, JsonReading::text);
  }

  /** The members of an object, each read by its name. */
  public <T> Map<String, T> map(String name, MemberReader<T> read) {
    JsonReading object = object(name);
    var map = new LinkedHashMap<String, T>();
    object.members.keySet().forEach(key -> map.put(key, read.read(object, key)));
    return map;
  }

  /** Reads one member of an object. */
  @FunctionalInterface
  public interface MemberReader<T> {
    T read(JsonReading object, String name);
  }

  private List<?> array(String name) {
    return typed(name, List.class, "an array");
  }

  private <T> T typed(String name, Class<T> type, String expected) {
    return cast(name, member(name), type, expected);
  }

  private <T> T cast(String name, Object value, Class<T> type, String expected) {
    if (!type.isInstance(value)) {
      throw malformed(name, expected, value);
    }
    return type.cast(value);
  }

  private Object member(String name) {
    @Nullable Object value = members.get(name);
    if (value == null) {
      throw new MalformedJson(path(name), "a value", "none");
    }
    return value;
  }

  private <T> T parsed(String name, String text, Function<String, T> parse, String expected) {
    try {
      return parse.apply(text);
    } catch (DateTimeException | NumberFormatException _) {
      throw malformed(name, expected, text);
    }
  }

  private MalformedJson malformed(String name, String expected, Object found) {
    return new MalformedJson(path(name), expected, String.valueOf(found));
  }

  private String path(String name) {
    return where.isEmpty() ? name : where + "." + name;
  }

  private static JsonReading object(String where, Object value) {
    if (!(value instanceof JsonTree.Members(var members))) {
      throw new MalformedJson(where.isEmpty() ? "the text" : where, "an object", kind(value));
    }
    return new JsonReading(where, members);
  }

  private static String kind(Object value) {
    return value instanceof List<?> ? "an array" : String.valueOf(value);
  }
}
