package io.gpureclaimer.reclaimer.json;

import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Writes objects as JSON. Instants and durations are written as ISO 8601 has them. */
public final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final PrettyPrinter INDENTED =
      new DefaultPrettyPrinter()
          .withObjectIndenter(new DefaultIndenter("  ", "\n"))
          .withArrayIndenter(new DefaultIndenter("  ", "\n"));

  private JsonText() {}

  /** One line, without a line feed. */
  public static String line(JsonObject object) {
    return text(object, ObjectWriteContext.empty());
  }

  /** One line, without a line feed. */
  public static String line(List<JsonObject> array) {
    return text(array, ObjectWriteContext.empty());
  }

  /** Indented for people, ended by a line feed. */
  public static String indented(JsonObject object) {
    return text(
            object,
            new ObjectWriteContext.Base() {
              @Override
              public boolean hasPrettyPrinter() {
                return true;
              }

              @Override
              public PrettyPrinter getPrettyPrinter() {
                return ((DefaultPrettyPrinter) INDENTED).createInstance();
              }
            })
        + "\n";
  }

  private static String text(Object object, ObjectWriteContext context) {
    var text = new StringWriter();
    try (JsonGenerator into = FACTORY.createGenerator(context, text)) {
      write(object, into);
    }
    return text.toString();
  }

  private static void write(Object value, JsonGenerator into) {
    switch (value) {
      case JsonObject object -> {
        into.writeStartObject();
        for (Map.Entry<String, Object> member : object.members().entrySet()) {
          into.writeName(member.getKey());
          write(member.getValue(), into);
        }
        into.writeEndObject();
      }
      case Collection<?> list -> {
        into.writeStartArray();
        list.forEach(element -> write(element, into));
        into.writeEndArray();
      }
      case String text -> into.writeString(text);
      case Boolean truth -> into.writeBoolean(truth);
      case Integer number -> into.writeNumber(number);
      case Long number -> into.writeNumber(number);
      case Double number -> number(number, into);
      case Instant instant -> into.writeString(instant.toString());
      case Duration duration -> into.writeString(duration.toString());
      default -> throw new IllegalArgumentException("not fit for JSON: " + value.getClass());
    }
  }

  /** What is no number has no other form in JSON than its name. */
  private static void number(double number, JsonGenerator into) {
    if (Double.isFinite(number)) {
      into.writeNumber(number);
    } else {
      into.writeString(Double.toString(number));
    }
  }
}
