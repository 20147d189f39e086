package io.gpureclaimer.reclaimer.json;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * An object in the making; its members keep the order in which they were put. Absent values leave
 * no member behind. Confined to one writing.
 */
public final class JsonObject {
  private final Map<String, Object> members = new LinkedHashMap<>();

  /** A text, a number, a truth, an instant, a duration, or another object. */
  public JsonObject put(String name, Object value) {
    if (members.put(name, value) != null) {
      throw new IllegalArgumentException("there is a member " + name + " already");
    }
    return this;
  }

  /** The value, if there is one. */
  public JsonObject put(String name, Optional<?> value) {
    return value.<JsonObject>map(present -> put(name, (Object) present)).orElse(this);
  }

  /** The number, if there is one. */
  public JsonObject put(String name, OptionalInt value) {
    return value.isPresent() ? put(name, (Object) value.getAsInt()) : this;
  }

  /** The number, if there is one. */
  public JsonObject put(String name, OptionalDouble value) {
    return value.isPresent() ? put(name, (Object) value.getAsDouble()) : this;
  }

  /** An array. */
  public <T> JsonObject list(String name, Collection<T> values, Function<T, ?> element) {
    return put(name, List.copyOf(values.stream().map(element).toList()));
  }

  /** An object whose members are named by the keys, in their order. */
  public <T> JsonObject map(String name, Map<String, T> values, Function<T, ?> element) {
    var object = new JsonObject();
    values.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> object.put(entry.getKey(), (Object) element.apply(entry.getValue())));
    return put(name, object);
  }

  Map<String, Object> members() {
    return members;
  }
}
