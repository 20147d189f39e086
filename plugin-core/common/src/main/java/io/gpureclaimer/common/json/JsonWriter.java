package io.gpureclaimer.common.json;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writer of one JSON document into a string. Members and elements keep the order of the calls. A
 * caller that unbalances objects and arrays gets an {@link IllegalStateException}. Confined to one
 * thread.
 */
public final class JsonWriter {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String INDENT = "  ";

  private final StringBuilder text = new StringBuilder();
  private final boolean indented;
  private final Deque<Scope> open = new ArrayDeque<>();

  /** Whether a name was written whose value is still missing. */
  private boolean named;

  /** An object or array that is not closed yet. */
  private static final class Scope {
    private final char end;
    private boolean empty = true;

    Scope(char end) {
      this.end = end;
    }
  }

  private JsonWriter(boolean indented) {
    this.indented = indented;
  }

  /** A writer that adds no white space. */
  public static JsonWriter compact() {
    return new JsonWriter(false);
  }

  /** A writer that puts each member and element on a line of its own. */
  public static JsonWriter indented() {
    return new JsonWriter(true);
  }

  public JsonWriter beginObject() {
    return begin('{', '}');
  }

  public JsonWriter endObject() {
    return end('}');
  }

  public JsonWriter beginArray() {
    return begin('[', ']');
  }

  public JsonWriter endArray() {
    return end(']');
  }

  /** Name of the next member; its value has to follow. */
  public JsonWriter name(String name) {
    Scope scope = open.peek();
    if (scope == null || scope.end != '}' || named) {
      throw new IllegalStateException("name " + name + " must be inside of an object");
    }
    separate(scope);
    quote(name);
    text.append(indented ? " : " : ":");
    named = true;
    return this;
  }

  public JsonWriter value(String value) {
    beforeValue();
    quote(value);
    return this;
  }

  public JsonWriter value(long value) {
    beforeValue();
    text.append(value);
    return this;
  }

  /** A number in plain notation; JSON has neither NaN nor infinity. */
  public JsonWriter value(double value) {
    beforeValue();
    text.append(new BigDecimal(Double.toString(value)).toPlainString());
    return this;
  }

  public JsonWriter value(boolean value) {
    beforeValue();
    text.append(value);
    return this;
  }

  public JsonWriter nullValue() {
    beforeValue();
    text.append("null");
    return this;
  }

  public JsonWriter member(String name, String value) {
    return name(name).value(value);
  }

  public JsonWriter member(String name, long value) {
    return name(name).value(value);
  }

  public JsonWriter member(String name, boolean value) {
    return name(name).value(value);
  }

  /** A member for a value that is known; none for null. */
  public JsonWriter optionalMember(String name, @Nullable Object value) {
    return value == null ? this : name(name).tree(value);
  }

  /** A member with an array of strings. */
  public JsonWriter member(String name, Collection<String> values) {
    name(name).beginArray();
    values.forEach(this::value);
    return endArray();
  }

  /** A map, collection, number, boolean or null with all that it holds; anything else as text. */
  public JsonWriter tree(@Nullable Object value) {
    return switch (value) {
      case null -> nullValue();
      case Map<?, ?> map -> {
        beginObject();
        map.forEach((key, member) -> name(key.toString()).tree(member));
        yield endObject();
      }
      case Collection<?> elements -> {
        beginArray();
        elements.forEach(this::tree);
        yield endArray();
      }
      case Double number -> value(number.doubleValue());
      case Integer number -> value(number.longValue());
      case Long number -> value(number.longValue());
      case Boolean bool -> value(bool.booleanValue());
      default -> value(value.toString());
    };
  }

  /** The document. */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("an object or array is not closed");
    }
    return text.toString();
  }

  private JsonWriter begin(char start, char end) {
    beforeValue();
    text.append(start);
    open.push(new Scope(end));
    return this;
  }

  private JsonWriter end(char end) {
    Scope scope = open.poll();
    if (scope == null || scope.end != end || named) {
      throw new IllegalStateException("nothing to close with " + end);
    }
    if (!scope.empty) {
      newLine();
    } else if (indented) {
      text.append(' ');
    }
    text.append(end);
    return this;
  }

  private void beforeValue() {
    Scope scope = open.peek();
    if (named) {
      named = false;
    } else if (scope != null) {
      if (scope.end == '}') {
        throw new IllegalStateException("a value inside of an object must have a name");
      }
      separate(scope);
    }
  }

  private void separate(Scope scope) {
    if (!scope.empty) {
      text.append(',');
    }
    scope.empty = false;
    newLine();
  }

  private void newLine() {
    if (indented) {
      text.append('\n').repeat(INDENT, open.size());
    }
  }

  /** Control characters, and what is no character in UTF-8 or not allowed in YAML. */
  private static boolean isEscaped(String value, int i) {
    char c = value.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return i == 0 || !Character.isHighSurrogate(value.charAt(i - 1));
    }
    return Character.isISOControl(c)
        || c == '\u2028'
        || c == '\u2029'
        || c == '\ufeff'
        || c >= '\ufffe';
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> text.append('\\').append(c);
        case '\n' -> text.append("\\n");
        case '\t' -> text.append("\\t");
        case '\r' -> text.append("\\r");
        case '\b' -> text.append("\\b");
        case '\f' -> text.append("\\f");
        default -> {
          if (isEscaped(value, i)) {
            text.append("\\u").append(HEX.toHexDigits(c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
