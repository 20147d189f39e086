package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.EditDistance;
import io.gpureclaimer.common.vocabulary.FieldSource;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.common.vocabulary.ValueForm;
import io.gpureclaimer.exporter.counters.CounterSet.LabelRow;
import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.CountersProblem;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Parsed;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Refused;
import io.gpureclaimer.exporter.counters.Csv.Cell;
import io.gpureclaimer.exporter.counters.MetricNaming.ScaledField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The text of a counters file: rows of field, type and help, as dcgm-exporter takes them. A row
 * that is wrong refuses the whole file; one that is right and cannot be served is listed with the
 * reason.
 */
public final class CountersGrammar {
  private static final String LABEL = "label";
  private static final List<String> TYPES =
      Stream.concat(Arrays.stream(MetricType.values()).map(MetricType::text), Stream.of(LABEL))
          .toList();

  private static final int COLUMNS = 3;
  private static final int MOST_PROBLEMS = 20;
  private static final int LONGEST_SHOWN = 80;

  private final MetricNaming vocabulary;
  private final Set<DcgmField> supported;
  private final Set<DcgmField> numbersAsLabels;

  /**
   * @param vocabulary what names mean
   * @param supported the fields that this program can report, of any device at all
   * @param numbersAsLabels numbers among them that do not change, and can be labels
   */
  public CountersGrammar(
      MetricNaming vocabulary, Set<DcgmField> supported, Set<DcgmField> numbersAsLabels) {
    this.vocabulary = vocabulary;
    this.supported = Set.copyOf(supported);
    this.numbersAsLabels = Set.copyOf(numbersAsLabels);
  }

  /** Reads the text of a file. */
  public CountersParseResult parse(String text) {
    var sheet = new ParsedRows();
    try {
      Csv.rows(text).forEach(sheet::enter);
    } catch (Csv.Violation e) {
      return new Refused(List.of(e.problem()));
    }
    return sheet.result();
  }

  /** The file that is served when there is no other. */
  CounterSet builtIn() {
    return switch (parse(vocabulary.builtIn())) {
      case Parsed(var set) -> set;
      case Refused refused ->
          throw new IllegalStateException(vocabulary.text() + ": " + refused.inOneLine());
    };
  }

  /** Rows of one file that are parsed so far. */
  private final class ParsedRows {
    private final List<Counter> counters = new ArrayList<>();
    private final List<LabelRow> labels = new ArrayList<>();
    private final List<UnservedRow> skipped = new ArrayList<>();
    private final List<CountersProblem> problems = new ArrayList<>();
    private final Map<String, Integer> lineOf = new HashMap<>();
    private boolean anyRow;

    CountersParseResult result() {
      if (!anyRow) {
        problems.add(
            new CountersProblem(1, 1, "expected rows of field, type and help, found none"));
      }
      return problems.isEmpty()
          ? new Parsed(new CounterSet(counters, labels, skipped))
          : new Refused(problems);
    }

    void enter(List<Cell> row) {
      anyRow = true;
      if (problems.size() >= MOST_PROBLEMS) {
        return;
      }
      if (row.size() != COLUMNS) {
        complain(row.getFirst(), miscounted(row.size()));
        return;
      }
      var name = row.getFirst();
      var type = row.get(1);
      var quantity = vocabulary.find(trimmed(name));
      if (quantity.isEmpty()) {
        complain(
            name, "no field is called " + shown(name) + suggestion(name, MetricNaming.known()));
      }
      if (!TYPES.contains(trimmed(type))) {
        complain(
            type,
            "the type must be one of "
                + String.join(", ", TYPES)
                + ", was "
                + shown(type)
                + suggestion(type, TYPES));
      } else {
        quantity.ifPresent(known -> serve(name, known, trimmed(type), trimmed(row.get(2))));
      }
    }

    private void serve(Cell cell, ScaledField quantity, String type, String help) {
      String name = trimmed(cell);
      var metric = MetricType.of(type);
      var reason = reasonNotTo(quantity.field(), metric.isEmpty());
      var before = lineOf.putIfAbsent(name, cell.line());
      if (before != null) {
        skipped.add(new UnservedRow(cell.line(), name, "stands in line " + before + " already"));
      } else if (reason.isPresent()) {
        skipped.add(new UnservedRow(cell.line(), name, reason.get()));
      } else if (metric.isPresent()) {
        counters.add(new Counter(quantity.field(), name, metric.get(), help, quantity.factor()));
      } else {
        labels.add(new LabelRow(quantity.field(), name));
      }
    }

    private void complain(Cell cell, String reason) {
      int blanks = cell.text().length() - cell.text().stripLeading().length();
      problems.add(new CountersProblem(cell.line(), cell.column() + blanks, reason));
    }
  }

  private Optional<String> reasonNotTo(DcgmField field, boolean asLabel) {
    if (!field.source().isSupplied()) {
      return Optional.of(field.source().reason());
    }
    if (!asLabel && field.form() == ValueForm.TEXT) {
      return Optional.of("is a text, which can be a label and no metric");
    }
    if (asLabel && field.form() != ValueForm.TEXT && !numbersAsLabels.contains(field)) {
      return Optional.of(
          field.source() == FieldSource.COMPUTED
              ? "has several values, and a label has one"
              : "is a number that changes, which can be a metric and no label");
    }
    return supported.contains(field)
        ? Optional.empty()
        : Optional.of("is not read by this version");
  }

  private static String miscounted(int columns) {
    return "expected field, type and help, found "
        + columns
        + (columns == 1 ? " column" : " columns")
        + (columns > COLUMNS ? "; put a help text with a comma in quotes" : "");
  }

  private static String suggestion(Cell cell, List<String> names) {
    return EditDistance.nearest(trimmed(cell), names)
        .map(name -> "; did you mean " + name + "?")
        .orElse("");
  }

  /** On one line, and short. */
  private static String shown(Cell cell) {
    String line = trimmed(cell).replaceAll("\\p{Cntrl}+", " ");
    return '"'
        + (line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "…" : line)
        + '"';
  }

  /** ASCII blanks only. */
  private static String trimmed(Cell cell) {
    return cell.text().trim();
  }

  /** Result of parsing a counters file. */
  public sealed interface CountersParseResult {

    /** Valid; rows that are not served are listed in the set. */
    record Parsed(CounterSet set) implements CountersParseResult {}

    /**
     * Invalid, and not used.
     *
     * @param problems at least one, in the order of the file
     */
    record Refused(List<CountersProblem> problems) implements CountersParseResult {
      public Refused {
        problems = List.copyOf(problems);
        if (problems.isEmpty()) {
          throw new IllegalArgumentException("a refusal needs a problem");
        }
      }

      /** One line: the first problem, and how many more there are. */
      public String inOneLine() {
        int more = problems.size() - 1;
        return problems.getFirst() + (more == 0 ? "" : " (and " + more + " more)");
      }
    }

    /**
     * Problem in a counters file, with its position.
     *
     * @param line from 1
     * @param column from 1, in characters
     * @param reason for people: what was expected and what was found
     */
    record CountersProblem(int line, int column, String reason) {
      @Override
      public String toString() {
        return "line " + line + ", column " + column + ": " + reason;
      }
    }
  }
}
