package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.Excerpt;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads one answer as a stream, handing each sample on as it comes, so that an answer for a large
 * cluster never lies in memory as a whole. Members may come in any order. Confined to one thread.
 */
final class AnswerReader {
  private static final JsonFactory JSON = new JsonFactory();
  private static final double MILLIS_PER_SECOND = 1_000.0;
  private static final double YEAR_10000 = 253_402_300_800.0;

  private final Set<String> wanted;
  private final Elements elements;
  private final List<String> warnings = new ArrayList<>();
  private @Nullable String status;
  private @Nullable String errorType;
  private @Nullable String error;
  private @Nullable String resultType;
  private @Nullable String strange = "no result";
  private boolean partial;

  /**
   * @param wanted the labels to hand on; others are skipped unread
   */
  AnswerReader(Set<String> wanted, Elements elements) {
    this.wanted = wanted;
    this.elements = elements;
  }

  /**
   * Reads to the very end.
   *
   * @throws MalformedAnswer if it is JSON of another shape
   * @throws tools.jackson.core.JacksonException if it is no JSON or ends too early
   */
  Envelope read(InputStream body) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
      require(JsonToken.START_OBJECT, json.nextToken());
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        member(json, json.currentName(), json.nextToken());
      }
      if (json.nextToken() != null) {
        throw new MalformedAnswer("one JSON object", "more behind it");
      }
    }
    return new Envelope(
        Optional.ofNullable(status),
        Optional.ofNullable(error)
            .map(text -> Excerpt.of(errorType == null ? text : errorType + ": " + text)),
        Optional.ofNullable(resultType),
        warnings,
        partial,
        Optional.ofNullable(strange));
  }

  private void member(JsonParser json, String name, JsonToken value) {
    switch (name) {
      case "status" -> status = string(json, value);
      case "errorType" -> errorType = string(json, value);
      case "error" -> error = string(json, value);
      case "isPartial" -> partial = value != JsonToken.VALUE_FALSE;
      case "warnings" -> warnings(json, value);
      case "data" -> data(json, value);
      default -> json.skipChildren();
    }
  }

  private void warnings(JsonParser json, JsonToken value) {
    if (value == JsonToken.VALUE_NULL) {
      return;
    }
    require(JsonToken.START_ARRAY, value);
    for (JsonToken each = json.nextToken(); each != JsonToken.END_ARRAY; each = json.nextToken()) {
      warnings.add(string(json, each));
    }
  }

  private void data(JsonParser json, JsonToken value) {
    if (value != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      switch (name) {
        case "resultType" -> resultType = string(json, token);
        case "result" -> result(json, token);
        default -> json.skipChildren();
      }
    }
  }

  private void result(JsonParser json, JsonToken value) {
    if (value != JsonToken.START_ARRAY
        || (resultType != null && !resultType.equals(elements.resultType()))) {
      strange = "result " + value;
      json.skipChildren();
      return;
    }
    strange = null;
    for (JsonToken each = json.nextToken(); each != JsonToken.END_ARRAY; each = json.nextToken()) {
      if (each == JsonToken.START_OBJECT) {
        element(json);
      } else {
        strange = "element " + each;
        json.skipChildren();
      }
    }
  }

  private void element(JsonParser json) {
    Map<String, String> labels = Map.of();
    RangeSeries.@Nullable Draft range = null;
    boolean valued = false;
    Instant at = Instant.EPOCH;
    double value = Double.NaN;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      if (name.equals("metric")) {
        labels = labels(json, token);
      } else if (name.equals("value") && elements instanceof Elements.Vector) {
        require(JsonToken.START_ARRAY, token);
        at = time(json, json.nextToken());
        value = valueBehindTime(json);
        valued = true;
      } else if (name.equals("values") && elements instanceof Elements.Matrix) {
        require(JsonToken.START_ARRAY, token);
        range = range(json);
      } else {
        json.skipChildren();
      }
    }
    if (valued && elements instanceof Elements.Vector(var into)) {
      into.accept(new VectorSample(labels, value, at));
    } else if (range != null && elements instanceof Elements.Matrix(var into)) {
      into.accept(range.of(labels));
    } else {
      strange = "an element without value";
    }
  }

  private static RangeSeries.Draft range(JsonParser json) {
    var range = new RangeSeries.Draft();
    for (JsonToken each = json.nextToken(); each != JsonToken.END_ARRAY; each = json.nextToken()) {
      require(JsonToken.START_ARRAY, each);
      Instant at = time(json, json.nextToken());
      range.add(at, valueBehindTime(json));
    }
    return range;
  }

  private static double valueBehindTime(JsonParser json) {
    double value = number(string(json, json.nextToken()));
    require(JsonToken.END_ARRAY, json.nextToken());
    return value;
  }

  private Map<String, String> labels(JsonParser json, JsonToken value) {
    require(JsonToken.START_OBJECT, value);
    Map<String, String> labels = HashMap.newHashMap(wanted.size());
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      if (wanted.contains(name)) {
        labels.put(name, string(json, token));
      } else {
        json.skipChildren();
      }
    }
    return labels;
  }

  private static Instant time(JsonParser json, JsonToken value) {
    if (!value.isNumeric()) {
      throw new MalformedAnswer("a time", value);
    }
    double seconds = json.getDoubleValue();
    if (!(seconds > 0 && seconds < YEAR_10000)) {
      throw new MalformedAnswer("a time", seconds);
    }
    return Instant.ofEpochMilli(Math.round(seconds * MILLIS_PER_SECOND));
  }

  private static double number(String text) {
    return switch (text) {
      case "NaN" -> Double.NaN;
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException _) {
          throw new MalformedAnswer("a number", text);
        }
      }
    };
  }

  private static String string(JsonParser json, JsonToken value) {
    require(JsonToken.VALUE_STRING, value);
    return json.getString();
  }

  private static void require(JsonToken expected, @Nullable JsonToken found) {
    if (found != expected) {
      throw new MalformedAnswer(expected.name(), found == null ? "the end" : found);
    }
  }
}
