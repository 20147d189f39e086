package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer.Complete;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer.Unusable;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reader of one response as a stream. It hands on each sample as it comes, so that the response for
 * a large cluster never lies in memory as a whole. Members may come in any order. Confined to one
 * thread.
 */
final class ResponseReader {
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
  ResponseReader(Set<String> wanted, Elements elements) {
    this.wanted = wanted;
    this.elements = elements;
  }

  /**
   * Reads a response to its very end.
   *
   * @return complete only if the samples are all there are of what was asked for
   * @throws MalformedResponse if it is JSON of another shape
   * @throws tools.jackson.core.JacksonException if it is no JSON or ends too early
   */
  QueryAnswer read(InputStream body) {
    parse(body);
    if (!"success".equals(status)) {
      return new Unusable(
          "status success",
          "status " + (status == null ? "absent" : status) + error().map(e -> ": " + e).orElse(""));
    }
    if (!warnings.isEmpty()) {
      return new Unusable(
          "a complete answer", "warnings: " + Excerpt.of(String.join("; ", warnings)));
    }
    if (partial) {
      return new Unusable("a complete answer", "isPartial");
    }
    String expected = elements.resultType();
    if (!expected.equals(resultType)) {
      return new Unusable(
          "resultType " + expected,
          "resultType " + Excerpt.of(resultType == null ? "absent" : resultType));
    }
    return strange == null
        ? new Complete()
        : new Unusable("a " + expected + "'s elements", strange);
  }

  /** Reads a response of an HTTP error, of which only the error's text matters. */
  static Optional<String> readError(InputStream body) {
    var reader = new ResponseReader(Set.of(), new Elements.Vector(_ -> {}));
    reader.parse(body);
    return reader.error();
  }

  private void parse(InputStream body) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
      require(JsonToken.START_OBJECT, json.nextToken());
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        member(json, json.currentName(), json.nextToken());
      }
      if (json.nextToken() != null) {
        throw new MalformedResponse("one JSON object", "more behind it");
      }
    }
  }

  private Optional<String> error() {
    return Optional.ofNullable(error)
        .map(text -> Excerpt.of(errorType == null ? text : errorType + ": " + text));
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
      into.accept(new MetricSample(labels, value, at));
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
      throw new MalformedResponse("a time", value);
    }
    double seconds = json.getDoubleValue();
    if (!(seconds > 0 && seconds < YEAR_10000)) {
      throw new MalformedResponse("a time", seconds);
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
          throw new MalformedResponse("a number", text);
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
      throw new MalformedResponse(expected.name(), found == null ? "the end" : found);
    }
  }

  /** Expected elements of a response, and the consumer that takes them one by one. */
  sealed interface Elements {

    /** The type in the response. */
    default String resultType() {
      return this instanceof Vector ? "vector" : "matrix";
    }

    /** The query, for people. */
    default String query() {
      return this instanceof Vector ? "an instant query" : "a range query";
    }

    /** One sample of each series. */
    record Vector(Consumer<MetricSample> into) implements Elements {}

    /** All samples of each series in a range. */
    record Matrix(Consumer<RangeSeries> into) implements Elements {}
  }

  /** Signals JSON of another shape than that of a Prometheus. */
  static final class MalformedResponse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedResponse(String expected, Object found) {
      super("expected " + expected + ", found " + found);
    }
  }
}
