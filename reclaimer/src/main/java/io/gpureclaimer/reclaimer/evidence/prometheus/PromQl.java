package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builder of PromQL text. A value that is put into it stays inside its string. */
public final class PromQl {

  /**
   * The label that distinguishes what a query computed from what it only read. A name would not do:
   * {@code or} compares label sets without names, and would drop the right-hand side as known.
   */
  public static final String KIND = "_kind";

  /** The label that distinguishes what was computed of several metrics, for the same reason. */
  private static final String FIELD = "_field";

  /**
   * Both vectors, of which no kind and field is in both. It uses these labels alone; to compare all
   * labels of hundreds of thousands of series takes a Prometheus longer than to find them.
   */
  private static final String OR = " or on (" + KIND + ", " + FIELD + ") ";

  /** VictoriaMetrics refuses what is longer than 16 KiB by default. */
  private static final int LONGEST_QUERY = 16_000;

  private PromQl() {}

  /** The vectors in as few queries as are short enough; none is cut. */
  public static List<String> queries(List<String> vectors) {
    var queries = new ArrayList<String>();
    for (String vector : vectors) {
      if (queries.isEmpty() || queries.getLast().length() + vector.length() > LONGEST_QUERY) {
        queries.add(vector);
      } else {
        queries.add(queries.removeLast() + " or " + vector);
      }
    }
    return queries;
  }

  /** All of the vectors; each has its own kind and field, or at most one has none. */
  public static String together(Stream<String> vectors) {
    return vectors.collect(Collectors.joining(OR));
  }

  /** The vector, marked as being of that kind. */
  public static String kind(String kind, String vector) {
    return labeled(KIND, kind, vector);
  }

  /** The vector, marked as being of that metric. */
  public static String field(String field, String vector) {
    return labeled(FIELD, field, vector);
  }

  /** The vector with one label more. */
  public static String labeled(String label, String value, String vector) {
    return "label_replace(" + vector + ", \"" + label + "\", \"" + value + "\", \"\", \"\")";
  }

  /** A selector of one of the names; the matchers are separated by commas, or none. */
  public static String select(Collection<String> names, String matchers) {
    String name =
        names.size() == 1
            ? "__name__=" + quoted(names.iterator().next())
            : "__name__=~" + quoted(String.join("|", names));
    return "{" + name + (matchers.isEmpty() ? "" : "," + matchers) + "}";
  }

  /** An aggregation that keeps these labels only. */
  public static String by(String aggregation, List<String> labels, String vector) {
    return aggregation + " by (" + String.join(", ", labels) + ") (" + vector + ")";
  }

  /**
   * What follows a vector to give each sample a label with the value of another vector; a sample
   * without such a value is dropped.
   *
   * @param values one for each combination of the labels
   * @param labels by which the two belong together
   */
  public static String withLabel(String label, String values, List<String> labels) {
    String by = "(" + String.join(", ", labels) + ")";
    return " * on "
        + by
        + " group_left ("
        + label
        + ") count_values by "
        + by
        + " (\""
        + label
        + "\", "
        + values
        + ")";
  }

  /** A matcher for one of the values. */
  public static String oneOf(String label, Collection<String> values) {
    return label
        + "=~"
        + quoted(values.stream().map(PromQl::literal).collect(Collectors.joining("|")));
  }

  /** A matcher for the value. */
  public static String equal(String label, String value) {
    return label + "=" + quoted(value);
  }

  /** A matcher for values that one of the regular expressions of RE2 describes. */
  public static String matching(String label, Collection<String> patterns) {
    return label + "=~" + quoted(String.join("|", patterns));
  }

  /** A regular expression of RE2 that matches the text and nothing else. */
  private static String literal(String text) {
    return text.replaceAll("[\\\\.+*?()|\\[\\]{}^$]", "\\\\$0");
  }

  /** The text as a PromQL string, which ends where the text ends whatever is in it. */
  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> quoted.append("\\\\");
        case '"' -> quoted.append("\\\"");
        case '\n' -> quoted.append("\\n");
        default -> quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
