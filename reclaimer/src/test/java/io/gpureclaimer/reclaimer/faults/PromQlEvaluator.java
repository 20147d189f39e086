package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.faults.PromQlValue.Element;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Matrix;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Range;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Scalar;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Text;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Vector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates as much of PromQL as a reclaimer may ask, at one instant. What it does not know it
 * refuses, so that no question is answered by guess. Confined to one question.
 */
final class PromQlEvaluator {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(\"(?:\\\\.|[^\"\\\\]++)*+\")|(\\d+(?:ms|[smhdw])(?:\\d+(?:ms|[smhdw]))*)"
              + "|(\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)|([A-Za-z_:][A-Za-z0-9_:]*)"
              + "|(=~|!~|!=|==|>=|<=|[-+*/(){}\\[\\],=<>]))");
  private static final Set<String> AGGREGATIONS =
      Set.of("max", "min", "sum", "count", "count_values", "avg", "group");
  private static final Set<String> SET_OPERATORS = Set.of("or", "and", "unless");
  private static final List<Set<String>> PRECEDENCE =
      List.of(
          Set.of("or"),
          Set.of("and", "unless"),
          Set.of("==", "!=", ">", "<", ">=", "<="),
          Set.of("+", "-"),
          Set.of("*", "/"));

  /** By query: every cycle asks the same. */
  private static final Map<String, List<String>> KNOWN = new ConcurrentHashMap<>();

  private static final int MOST_KNOWN = 1_000;

  private final SampleStorage storage;
  private final long atMillis;
  private final List<String> tokens;
  private int next;

  private PromQlEvaluator(SampleStorage storage, long atMillis, String query) {
    this.storage = storage;
    this.atMillis = atMillis;
    if (KNOWN.size() > MOST_KNOWN) {
      KNOWN.clear();
    }
    tokens = KNOWN.computeIfAbsent(query, PromQlEvaluator::tokens);
  }

  private static List<String> tokens(String query) {
    List<String> tokens = new ArrayList<>();
    String text = query.stripTrailing();
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (end < text.length()) {
      matcher.region(end, text.length());
      if (!matcher.lookingAt()) {
        throw new PromQlError("unexpected text: " + text.substring(end));
      }
      tokens.add(matcher.group().strip());
      end = matcher.end();
    }
    return tokens;
  }

  /** The vector that the query selects at that time. */
  static List<Element> at(SampleStorage storage, long atMillis, String query) {
    var parser = new PromQlEvaluator(storage, atMillis, query);
    PromQlValue value = parser.binary(0);
    if (parser.next < parser.tokens.size()) {
      throw new PromQlError("unexpected " + parser.peek());
    }
    return switch (value) {
      case Vector(var elements) -> elements;
      case Scalar(double number) -> List.of(new Element(new TreeMap<>(), number, atMillis));
      case Matrix _, Text _ -> throw new PromQlError("a query must be a vector");
    };
  }

  private PromQlValue binary(int level) {
    if (level == PRECEDENCE.size()) {
      return unary();
    }
    PromQlValue left = binary(level + 1);
    while (next < tokens.size() && PRECEDENCE.get(level).contains(peek())) {
      String operator = take();
      boolean bool = takeIf("bool");
      var matching = matching();
      left = PromQlOperators.apply(operator, bool, matching, left, binary(level + 1), atMillis);
    }
    return left;
  }

  private PromQlOperators.Matching matching() {
    boolean on = isNext("on");
    if (!on && !isNext("ignoring")) {
      return new PromQlOperators.Matching(false, Set.of());
    }
    take();
    Set<String> labels = labelList();
    if (!isNext("group_left") && !isNext("group_right")) {
      return new PromQlOperators.Matching(on, labels);
    }
    boolean manyLeft = take().equals("group_left");
    return new PromQlOperators.Matching(
        on,
        labels,
        Optional.of(new PromQlOperators.Grouping(manyLeft, isNext("(") ? labelList() : Set.of())));
  }

  private PromQlValue unary() {
    if (takeIf("-")) {
      return PromQlOperators.apply(
          "*",
          false,
          new PromQlOperators.Matching(false, Set.of()),
          new Scalar(-1),
          unary(),
          atMillis);
    }
    return primary();
  }

  private PromQlValue primary() {
    String token = take();
    if (token.equals("(")) {
      PromQlValue inner = binary(0);
      expect(")");
      return inner;
    }
    if (token.startsWith("\"")) {
      return new Text(unquoted(token));
    }
    if (Character.isDigit(token.charAt(0))) {
      return new Scalar(Double.parseDouble(token));
    }
    if (token.equals("{")) {
      next--;
      return selector(null);
    }
    if (AGGREGATIONS.contains(token) && (isNext("(") || isNext("by") || isNext("without"))) {
      return aggregation(token);
    }
    if (isNext("(") && !SET_OPERATORS.contains(token)) {
      return call(token);
    }
    return selector(token);
  }

  private PromQlValue aggregation(String kind) {
    boolean without = false;
    Set<String> labels = Set.of();
    if (isNext("by") || isNext("without")) {
      without = take().equals("without");
      labels = labelList();
    }
    expect("(");
    Optional<String> valueLabel = Optional.empty();
    if (kind.equals("count_values")) {
      valueLabel = Optional.of(unquoted(take()));
      expect(",");
    }
    PromQlValue inner = binary(0);
    expect(")");
    if (isNext("by") || isNext("without")) {
      without = take().equals("without");
      labels = labelList();
    }
    if (!(inner instanceof Vector(var elements))) {
      throw new PromQlError(kind + " needs a vector");
    }
    return new Vector(
        valueLabel.isPresent()
            ? PromQlOperators.countValues(
                valueLabel.get(),
                new PromQlOperators.Matching(!without, labels),
                elements,
                atMillis)
            : PromQlOperators.aggregate(kind, without, labels, elements, atMillis));
  }

  private PromQlValue call(String name) {
    expect("(");
    var arguments = new ArrayList<PromQlValue>();
    while (!isNext(")")) {
      arguments.add(binary(0));
      takeIf(",");
    }
    expect(")");
    PromQlValue called = PromQlFunctions.call(name, arguments, atMillis);
    if (called instanceof Vector(var elements)
        && elements.stream().map(Element::labels).distinct().count() < elements.size()) {
      throw new PromQlError("vector cannot contain metrics with the same labelset");
    }
    return called;
  }

  private PromQlValue selector(@Nullable String name) {
    List<LabelMatcher> matchers = new ArrayList<>();
    if (takeIf("{")) {
      while (!takeIf("}")) {
        matchers.add(LabelMatcher.of(take(), take(), unquoted(take())));
        takeIf(",");
      }
    }
    List<FoundSeries> found = new ArrayList<>();
    if (name != null) {
      find(storage.byName().getOrDefault(name, Map.of()), matchers, found);
    } else {
      List<LabelMatcher> ofNames =
          matchers.stream().filter(each -> each.label().equals("__name__")).toList();
      storage
          .byName()
          .forEach(
              (metric, series) -> {
                if (ofNames.stream().allMatch(each -> each.allows(metric))) {
                  find(series, matchers, found);
                }
              });
    }
    long range = 0;
    if (takeIf("[")) {
      range = PromQlFunctions.millis(take());
      expect("]");
    }
    long moment = takeIf("offset") ? atMillis - offset() : atMillis;
    if (range > 0) {
      return new Matrix(ranges(found, moment, range));
    }
    var elements = new ArrayList<Element>();
    found.forEach(each -> newest(each, moment).ifPresent(elements::add));
    return new Vector(elements);
  }

  private long offset() {
    int sign = takeIf("-") ? -1 : 1;
    return sign * PromQlFunctions.millis(take());
  }

  /** A series that a selector means. */
  private record FoundSeries(SortedMap<String, String> labels, SampleHistory history) {}

  /**
   * What a selector requires of one label.
   *
   * @param isWanted whether values must match, rather than must not
   * @param pattern absent where the value itself is compared, which takes less time
   */
  private record LabelMatcher(
      String label, boolean isWanted, String text, Optional<Pattern> pattern) {
    static LabelMatcher of(String label, String operator, String text) {
      return new LabelMatcher(
          label,
          !operator.startsWith("!"),
          text,
          operator.endsWith("~")
              ? Optional.of(Pattern.compile(text, Pattern.DOTALL))
              : Optional.empty());
    }

    boolean allows(String value) {
      boolean matches =
          pattern.isPresent() ? pattern.get().matcher(value).matches() : text.equals(value);
      return matches == isWanted;
    }
  }

  private static void find(
      Map<LabelSet, SampleHistory> series, List<LabelMatcher> matchers, List<FoundSeries> found) {
    series.forEach(
        (labels, history) -> {
          for (LabelMatcher each : matchers) {
            if (!each.allows(labels.all().getOrDefault(each.label(), ""))) {
              return;
            }
          }
          found.add(new FoundSeries(labels.all(), history));
        });
  }

  private static Optional<Element> newest(FoundSeries series, long moment) {
    return series
        .history()
        .newest(moment)
        .filter(point -> !StalenessMarker.is(point.value()))
        .filter(point -> point.atMillis() > moment - SampleStorage.LOOKBACK_MILLIS)
        .map(point -> new Element(series.labels(), point.value(), point.atMillis()));
  }

  private static List<Range> ranges(List<FoundSeries> found, long moment, long length) {
    var ranges = new ArrayList<Range>();
    for (FoundSeries series : found) {
      List<SampleHistory.StoredPoint> points = series.history().between(moment - length, moment);
      if (!points.isEmpty()) {
        ranges.add(new Range(series.labels(), points, moment - length, moment));
      }
    }
    return ranges;
  }

  private Set<String> labelList() {
    expect("(");
    var labels = new HashSet<String>();
    while (!takeIf(")")) {
      labels.add(take());
      takeIf(",");
    }
    return labels;
  }

  private String peek() {
    if (next >= tokens.size()) {
      throw new PromQlError("unexpected end");
    }
    return tokens.get(next);
  }

  private String take() {
    String token = peek();
    next++;
    return token;
  }

  private boolean isNext(String token) {
    return next < tokens.size() && tokens.get(next).equals(token);
  }

  private boolean takeIf(String token) {
    boolean is = isNext(token);
    if (is) {
      next++;
    }
    return is;
  }

  private void expect(String token) {
    if (!takeIf(token)) {
      throw new PromQlError(
          "expected " + token + (next < tokens.size() ? ", found " + peek() : ""));
    }
  }

  private static String unquoted(String token) {
    if (!token.startsWith("\"")) {
      throw new PromQlError("expected a string, found " + token);
    }
    return token
        .substring(1, token.length() - 1)
        .replace("\\\\", "\0")
        .replace("\\\"", "\"")
        .replace("\\n", "\n")
        .replace("\0", "\\");
  }
}
