package io.gpureclaimer.reclaimer.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A text as a tree of members, lists, texts, numbers and truths. Confined to one reading. */
final class JsonTree {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonParser parser;

  private JsonTree(JsonParser parser) {
    this.parser = parser;
  }

  /** An object; members whose value is null are left out. */
  record Members(Map<String, Object> byName) {}

  static Object read(String text) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      Object value = new JsonTree(parser).value();
      if (parser.nextToken() != null) {
        throw new MalformedJson("after the value", "the end", "more text");
      }
      return value;
    } catch (JacksonException e) {
      throw new MalformedJson("no JSON: " + e.getOriginalMessage());
    }
  }

  private Object value() {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> members();
      case START_ARRAY -> list();
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case null, default -> throw new MalformedJson("the text", "a value", String.valueOf(token));
    };
  }

  private Members members() {
    var members = new LinkedHashMap<String, Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (parser.nextToken() != JsonToken.VALUE_NULL) {
        members.put(name, value());
      }
    }
    return new Members(members);
  }

  private List<Object> list() {
    var list = new ArrayList<Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value());
    }
    return list;
  }
}
