package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.faults.PromQlValue.Element;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Matrix;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Range;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Scalar;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Text;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Vector;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** The functions of PromQL that are known here. */
final class PromQlFunctions {
  private static final double MILLIS_PER_SECOND = 1_000.0;
  private static final double LONGEST_EXTRAPOLATED = 1.1;
  private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|[smhdw])");

  private PromQlFunctions() {}

  static PromQlValue call(String name, List<PromQlValue> arguments, long atMillis) {
    return switch (name) {
      case "time" -> new Scalar(atMillis / MILLIS_PER_SECOND);
      case "timestamp" -> new Vector(timestamps(vector(arguments, 0), atMillis));
      case "label_replace" -> new Vector(labelReplace(arguments));
      case "vector" ->
          new Vector(List.of(new Element(new TreeMap<>(), number(arguments, 0), atMillis)));
      case "clamp_min" ->
          new Vector(
              vector(arguments, 0).stream()
                  .map(
                      each ->
                          new Element(
                              PromQlOperators.nameless(each.labels()),
                              Math.max(each.value(), number(arguments, 1)),
                              atMillis))
                  .toList());
      case "floor" ->
          new Vector(
              vector(arguments, 0).stream()
                  .map(
                      each ->
                          new Element(
                              PromQlOperators.nameless(each.labels()),
                              Math.floor(each.value()),
                              atMillis))
                  .toList());
      case "max_over_time",
          "min_over_time",
          "last_over_time",
          "avg_over_time",
          "count_over_time",
          "sum_over_time",
          "present_over_time",
          "changes",
          "increase",
          "rate",
          "delta" ->
          new Vector(overTime(name, arguments, atMillis));
      default -> throw new PromQlError("unknown function with name \"" + name + "\"");
    };
  }

  private static List<Element> timestamps(List<Element> elements, long atMillis) {
    return elements.stream()
        .map(
            each ->
                new Element(
                    PromQlOperators.nameless(each.labels()),
                    each.sampledMillis() / MILLIS_PER_SECOND,
                    atMillis))
        .toList();
  }

  private static List<Element> labelReplace(List<PromQlValue> arguments) {
    String destination = text(arguments, 1);
    String replacement = text(arguments, 2);
    String source = text(arguments, 3);
    Pattern pattern = Pattern.compile(text(arguments, 4), Pattern.DOTALL);
    var found = new ArrayList<Element>();
    for (Element each : vector(arguments, 0)) {
      Matcher matcher = pattern.matcher(each.labels().getOrDefault(source, ""));
      SortedMap<String, String> labels = new TreeMap<>(each.labels());
      if (matcher.matches()) {
        String value = matcher.replaceFirst(replacement);
        if (value.isEmpty()) {
          labels.remove(destination);
        } else {
          labels.put(destination, value);
        }
      }
      found.add(new Element(labels, each.value(), each.sampledMillis()));
    }
    return found;
  }

  private static List<Element> overTime(String name, List<PromQlValue> arguments, long atMillis) {
    if (!(arguments.getFirst() instanceof Matrix(var ranges))) {
      throw new PromQlError(name + " needs a range");
    }
    var found = new ArrayList<Element>();
    for (Range range : ranges) {
      boolean needsTwo = name.equals("increase") || name.equals("rate") || name.equals("delta");
      if (needsTwo && range.points().size() < 2) {
        continue;
      }
      SortedMap<String, String> labels =
          name.equals("last_over_time") ? range.labels() : PromQlOperators.nameless(range.labels());
      found.add(new Element(labels, overTime(name, range), atMillis));
    }
    return found;
  }

  /** A real one passes over what is no number, too. */
  private static DoubleStream numbers(List<SampleHistory.StoredPoint> points) {
    return points.stream()
        .mapToDouble(SampleHistory.StoredPoint::value)
        .filter(value -> !Double.isNaN(value));
  }

  private static double overTime(String name, Range range) {
    List<SampleHistory.StoredPoint> points = range.points();
    var summary = points.stream().mapToDouble(SampleHistory.StoredPoint::value).summaryStatistics();
    double first = points.getFirst().value();
    double last = points.getLast().value();
    double seconds = (range.untilMillis() - range.fromMillis()) / MILLIS_PER_SECOND;
    return switch (name) {
      case "max_over_time" -> numbers(points).max().orElse(Double.NaN);
      case "min_over_time" -> numbers(points).min().orElse(Double.NaN);
      case "avg_over_time" -> summary.getAverage();
      case "sum_over_time" -> summary.getSum();
      case "count_over_time" -> summary.getCount();
      case "last_over_time" -> last;
      case "present_over_time" -> 1;
      case "changes" -> changes(points);
      case "delta" -> last - first;
      case "increase" -> extrapolated(range);
      case "rate" -> extrapolated(range) / seconds;
      default -> throw new PromQlError(name);
    };
  }

  private static double changes(List<SampleHistory.StoredPoint> points) {
    double changes = 0;
    double before = points.getFirst().value();
    for (SampleHistory.StoredPoint point : points) {
      double value = point.value();
      changes += value == before ? 0 : 1;
      before = value;
    }
    return changes;
  }

  /**
   * As a real one does it: the counter goes on to the ends of the range as it did between the
   * samples, but for at most half of an interval where the next sample would have been due, and not
   * to before it was zero.
   */
  private static double extrapolated(Range range) {
    List<SampleHistory.StoredPoint> points = range.points();
    SampleHistory.StoredPoint first = points.getFirst();
    double increase = increase(points);
    double sampled = points.getLast().atMillis() - first.atMillis();
    double interval = sampled / (points.size() - 1);
    double before = first.atMillis() - range.fromMillis();
    if (increase > 0 && first.value() >= 0) {
      before = Math.min(before, sampled * (first.value() / increase));
    }
    double after = range.untilMillis() - points.getLast().atMillis();
    double longest = interval * LONGEST_EXTRAPOLATED;
    double more =
        (before < longest ? before : interval / 2) + (after < longest ? after : interval / 2);
    return increase * (sampled + more) / sampled;
  }

  private static double increase(List<SampleHistory.StoredPoint> points) {
    double increase = 0;
    double before = points.getFirst().value();
    for (SampleHistory.StoredPoint point : points) {
      double value = point.value();
      increase += value < before ? value : value - before;
      before = value;
    }
    return increase;
  }

  /** The length that a duration of PromQL stands for. */
  static long millis(String duration) {
    long millis = 0;
    Matcher matcher = DURATION.matcher(duration);
    while (matcher.find()) {
      long count = Long.parseLong(matcher.group(1));
      millis +=
          count
              * switch (matcher.group(2)) {
                case "ms" -> 1L;
                case "s" -> 1_000L;
                case "m" -> 60_000L;
                case "h" -> 3_600_000L;
                case "d" -> 86_400_000L;
                case "w" -> 604_800_000L;
                default -> throw new PromQlError("duration " + duration);
              };
    }
    return millis;
  }

  private static List<Element> vector(List<PromQlValue> arguments, int index) {
    if (arguments.size() > index && arguments.get(index) instanceof Vector(var elements)) {
      return elements;
    }
    throw new PromQlError("expected a vector as argument " + index);
  }

  private static double number(List<PromQlValue> arguments, int index) {
    if (arguments.size() > index && arguments.get(index) instanceof Scalar(double value)) {
      return value;
    }
    throw new PromQlError("expected a number as argument " + index);
  }

  private static String text(List<PromQlValue> arguments, int index) {
    if (arguments.size() > index && arguments.get(index) instanceof Text(String value)) {
      return value;
    }
    throw new PromQlError("expected a string as argument " + index);
  }
}
