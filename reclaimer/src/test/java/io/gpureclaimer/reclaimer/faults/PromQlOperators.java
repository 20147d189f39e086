package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.faults.PromQlValue.Element;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Matrix;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Scalar;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Text;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Vector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/** The operators and aggregations of PromQL. */
final class PromQlOperators {
  private static final Set<String> COMPARISONS = Set.of("==", "!=", ">", "<", ">=", "<=");

  private PromQlOperators() {}

  /**
   * Which side may have several elements for one of the other.
   *
   * @param included labels that they get from the other
   */
  record Grouping(boolean manyLeft, Set<String> included) {}

  /** By which labels elements of two vectors are the same. */
  record Matching(boolean on, Set<String> labels, Optional<Grouping> grouping) {
    Matching(boolean on, Set<String> labels) {
      this(on, labels, Optional.empty());
    }

    SortedMap<String, String> key(Element element) {
      SortedMap<String, String> key = new TreeMap<>();
      element
          .labels()
          .forEach(
              (label, value) -> {
                if (labels.contains(label) == on && !label.equals("__name__")) {
                  key.put(label, value);
                }
              });
      return key;
    }
  }

  static PromQlValue apply(
      String operator,
      boolean bool,
      Matching matching,
      PromQlValue left,
      PromQlValue right,
      long atMillis) {
    if (left instanceof Vector(var lefts) && right instanceof Vector(var rights)) {
      return switch (operator) {
        case "or" -> new Vector(or(matching, lefts, rights));
        case "and" -> new Vector(and(matching, lefts, rights, true));
        case "unless" -> new Vector(and(matching, lefts, rights, false));
        default ->
            new Vector(
                matching
                    .grouping()
                    .map(by -> grouped(operator, by, matching, lefts, rights, atMillis))
                    .orElseGet(() -> pairs(operator, bool, matching, lefts, rights, atMillis)));
      };
    }
    if (left instanceof Matrix || right instanceof Matrix) {
      throw new PromQlError(operator + " of a range");
    }
    if (left instanceof Text || right instanceof Text) {
      throw new PromQlError(operator + " of a string");
    }
    if (left instanceof Scalar(double one) && right instanceof Scalar(double other)) {
      return new Scalar(compute(operator, one, other));
    }
    return withNumber(operator, bool, left, right, atMillis);
  }

  private static PromQlValue withNumber(
      String operator, boolean bool, PromQlValue left, PromQlValue right, long atMillis) {
    boolean numberFirst = left instanceof Scalar;
    double number = ((Scalar) (numberFirst ? left : right)).value();
    var found = new ArrayList<Element>();
    for (Element each : ((Vector) (numberFirst ? right : left)).elements()) {
      double one = numberFirst ? number : each.value();
      double other = numberFirst ? each.value() : number;
      double result = compute(operator, one, other);
      if (COMPARISONS.contains(operator) && !bool) {
        if (result == 1) {
          found.add(each);
        }
      } else {
        found.add(new Element(nameless(each.labels()), result, atMillis));
      }
    }
    return new Vector(found);
  }

  private static List<Element> or(Matching matching, List<Element> left, List<Element> right) {
    var found = new ArrayList<>(left);
    Set<SortedMap<String, String>> known = new java.util.HashSet<>();
    left.forEach(each -> known.add(matching.key(each)));
    right.stream().filter(each -> !known.contains(matching.key(each))).forEach(found::add);
    return found;
  }

  private static List<Element> and(
      Matching matching, List<Element> left, List<Element> right, boolean both) {
    Set<SortedMap<String, String>> known = new java.util.HashSet<>();
    right.forEach(each -> known.add(matching.key(each)));
    return left.stream().filter(each -> known.contains(matching.key(each)) == both).toList();
  }

  private static List<Element> pairs(
      String operator,
      boolean bool,
      Matching matching,
      List<Element> left,
      List<Element> right,
      long atMillis) {
    Map<SortedMap<String, String>, Element> others = byKey(matching, right);
    var found = new ArrayList<Element>();
    for (Element each : left) {
      Element other = others.get(matching.key(each));
      if (other == null) {
        continue;
      }
      double result = compute(operator, each.value(), other.value());
      if (COMPARISONS.contains(operator) && !bool) {
        if (result == 1) {
          found.add(each);
        }
      } else {
        found.add(new Element(matching.key(each), result, atMillis));
      }
    }
    return found;
  }

  /** Several elements of one side for one of the other, whose labels they keep. */
  private static List<Element> grouped(
      String operator,
      Grouping grouping,
      Matching matching,
      List<Element> left,
      List<Element> right,
      long atMillis) {
    if (COMPARISONS.contains(operator)) {
      throw new PromQlError("no comparison of groups is known");
    }
    Map<SortedMap<String, String>, Element> ones =
        byKey(matching, grouping.manyLeft() ? right : left);
    Map<SortedMap<String, String>, Element> found = new LinkedHashMap<>();
    for (Element each : grouping.manyLeft() ? left : right) {
      Element one = ones.get(matching.key(each));
      if (one == null) {
        continue;
      }
      SortedMap<String, String> labels = nameless(each.labels());
      for (String label : grouping.included()) {
        labels.remove(label);
        Optional.ofNullable(one.labels().get(label)).ifPresent(value -> labels.put(label, value));
      }
      double result =
          grouping.manyLeft()
              ? compute(operator, each.value(), one.value())
              : compute(operator, one.value(), each.value());
      if (found.put(labels, new Element(labels, result, atMillis)) != null) {
        throw new PromQlError("multiple matches for labels: grouping labels must be unique");
      }
    }
    return List.copyOf(found.values());
  }

  private static Map<SortedMap<String, String>, Element> byKey(
      Matching matching, List<Element> elements) {
    Map<SortedMap<String, String>, Element> found = new HashMap<>();
    for (Element each : elements) {
      if (found.put(matching.key(each), each) != null) {
        throw new PromQlError("many-to-many matching not allowed");
      }
    }
    return found;
  }

  private static double compute(String operator, double one, double other) {
    return switch (operator) {
      case "+" -> one + other;
      case "-" -> one - other;
      case "*" -> one * other;
      case "/" -> one / other;
      case "==" -> one == other ? 1 : 0;
      case "!=" -> one != other ? 1 : 0;
      case ">" -> one > other ? 1 : 0;
      case "<" -> one < other ? 1 : 0;
      case ">=" -> one >= other ? 1 : 0;
      case "<=" -> one <= other ? 1 : 0;
      default -> throw new PromQlError("operator " + operator);
    };
  }

  static List<Element> aggregate(
      String kind, boolean without, Set<String> labels, List<Element> elements, long atMillis) {
    Map<SortedMap<String, String>, List<Double>> groups = new LinkedHashMap<>();
    var matching = new Matching(!without, labels);
    for (Element each : elements) {
      SortedMap<String, String> key = matching.key(each);
      String name = each.labels().get("__name__");
      if (name != null && !without && labels.contains("__name__")) {
        key.put("__name__", name);
      }
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(each.value());
    }
    var found = new ArrayList<Element>();
    groups.forEach((key, values) -> found.add(new Element(key, total(kind, values), atMillis)));
    return found;
  }

  /** How many elements of a group have a value, which becomes a label. */
  static List<Element> countValues(
      String label, Matching group, List<Element> elements, long atMillis) {
    Map<SortedMap<String, String>, Double> counts = new LinkedHashMap<>();
    for (Element each : elements) {
      SortedMap<String, String> key = group.key(each);
      key.put(label, SampleNumbers.text(each.value()));
      counts.merge(key, 1.0, Double::sum);
    }
    var found = new ArrayList<Element>();
    counts.forEach((key, count) -> found.add(new Element(key, count, atMillis)));
    return found;
  }

  private static double total(String kind, List<Double> values) {
    var summary = values.stream().mapToDouble(value -> value).summaryStatistics();
    return switch (kind) {
      case "max" -> numbers(values).max().orElse(Double.NaN);
      case "min" -> numbers(values).min().orElse(Double.NaN);
      case "sum" -> summary.getSum();
      case "avg" -> summary.getAverage();
      case "count" -> summary.getCount();
      case "group" -> 1;
      default -> throw new PromQlError("aggregation " + kind);
    };
  }

  /** What is no number is the highest or lowest only among its like. */
  private static DoubleStream numbers(List<Double> values) {
    return values.stream().mapToDouble(value -> value).filter(value -> !Double.isNaN(value));
  }

  static SortedMap<String, String> nameless(SortedMap<String, String> labels) {
    SortedMap<String, String> rest = new TreeMap<>(labels);
    rest.remove("__name__");
    return rest;
  }
}
