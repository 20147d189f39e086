package io.gpureclaimer.reclaimer.evidence.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pieces of PromQL. Whatever is put into one stays inside of it. */
final class Promql {

  /**
   * The label that tells apart what a query computed from what it only read. A name would not do:
   * {@code or} compares label sets without names, and would drop the right-hand side as known.
   */
  static final String KIND = "gpu_reclaimer_kind";

  /** The label that tells apart what was computed of several metrics, for the same reason. */
  private static final String FIELD = "gpu_reclaimer_field";

  /**
   * Both vectors, of which no kind and field is in both. It goes by these labels alone; to compare
   * all labels of hundreds of thousands of series takes a Prometheus longer than to find them.
   */
  private static final String BESIDES = " or on (" + KIND + ", " + FIELD + ") ";

  /** A VictoriaMetrics refuses what is longer than 16 KiB, unless it is told not to. */
  private static final int LONGEST_QUESTION = 16_000;

  private Promql() {}

  /** The vectors in as few questions as are short enough; none is cut. */
  static List<String> questions(List<String> vectors) {
    var questions = new ArrayList<String>();
    for (String vector : vectors) {
      if (questions.isEmpty()
          || questions.getLast().length() + vector.length() > LONGEST_QUESTION) {
        questions.add(vector);
      } else {
        questions.add(questions.removeLast() + " or " + vector);
      }
    }
    return questions;
  }

  /** All of the vectors; each has its own kind and field, or at most one has none. */
  static String together(Stream<String> vectors) {
    return vectors.collect(Collectors.joining(BESIDES));
  }

  /** The vector, marked as being of that kind. */
  static String kind(String kind, String vector) {
    return labeled(KIND, kind, vector);
  }

  /** The vector, marked as being of that metric. */
  static String field(String field, String vector) {
    return labeled(FIELD, field, vector);
  }

  /** The vector with one label more. */
  static String labeled(String label, String value, String vector) {
    return "label_replace(" + vector + ", \"" + label + "\", \"" + value + "\", \"\", \"\")";
  }

  /** A selector of one of the names; the matchers are separated by commas, or none. */
  static String select(Collection<String> names, String matchers) {
    String name =
        names.size() == 1
            ? "__name__=" + quoted(names.iterator().next())
            : "__name__=~" + quoted(String.join("|", names));
    return "{" + name + (matchers.isEmpty() ? "" : "," + matchers) + "}";
  }

  /** An aggregation that keeps these labels only. */
  static String by(String aggregation, List<String> labels, String vector) {
    return aggregation + " by (" + String.join(", ", labels) + ") (" + vector + ")";
  }

  /** A matcher for one of the values. */
  static String oneOf(String label, Collection<String> values) {
    return label
        + "=~"
        + quoted(values.stream().map(Promql::literal).collect(Collectors.joining("|")));
  }

  /** A matcher for the value. */
  static String equal(String label, String value) {
    return label + "=" + quoted(value);
  }

  /** A regular expression of RE2 that matches the text and nothing else. */
  private static String literal(String text) {
    return text.replaceAll("[\\\\.+*?()|\\[\\]{}^$]", "\\\\$0");
  }

  /** The text as a PromQL string, which ends where the text ends whatever is in it. */
  static String quoted(String text) {
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
