package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.TraceProblem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * A CSV file with a header and without quotes, plain or compressed with gzip if its name ends with
 * {@code .gz}.
 */
final class CsvFile {
  private final Path path;
  private final String separator;
  private final TraceProblems problems;

  CsvFile(Path path, TraceProblems problems) {
    this(path, ",", problems);
  }

  /**
   * A file with another separator.
   *
   * @param separator one character
   */
  CsvFile(Path path, String separator, TraceProblems problems) {
    this.path = path;
    this.separator = separator;
    this.problems = problems;
  }

  /** A value of a row that cannot be used. */
  static final class InvalidValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String column;

    private InvalidValue(String column, String message) {
      super(message);
      this.column = column;
    }
  }

  /**
   * Reads all rows; one that cannot be used becomes a problem.
   *
   * @param required columns that the header must have
   * @param read makes a value of a row; empty leaves the row out
   * @throws InvalidTrace if the file cannot be read, or lacks a column
   */
  <T> List<T> read(List<String> required, Function<CsvRow, Optional<T>> read) {
    try (var lines = open()) {
      String header = lines.readLine();
      Map<String, Integer> columns = columns(header == null ? "" : header, required);
      List<T> values = new ArrayList<>();
      long number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          read(line, number, columns, read).ifPresent(values::add);
        }
      }
      return values;
    } catch (IOException e) {
      throw new InvalidTrace("cannot read " + path + ": " + e);
    }
  }

  private BufferedReader open() throws IOException {
    InputStream bytes = Files.newInputStream(path);
    return new BufferedReader(
        new InputStreamReader(
            path.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes,
            StandardCharsets.UTF_8));
  }

  private Map<String, Integer> columns(String header, List<String> required) {
    String[] names = split(header.strip());
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      columns.put(names[i].strip(), i);
    }
    for (String name : required) {
      if (!columns.containsKey(name)) {
        throw new InvalidTrace(
            new TraceProblem(name(), 1, name, "expected the column, found " + header.strip())
                .toString());
      }
    }
    return columns;
  }

  private <T> Optional<T> read(
      String line, long number, Map<String, Integer> columns, Function<CsvRow, Optional<T>> read) {
    try {
      return read.apply(new CsvRow(columns, split(line), number));
    } catch (InvalidValue e) {
      problems.add(new TraceProblem(name(), number, e.column, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private String[] split(String line) {
    return line.split(Pattern.quote(separator), -1);
  }

  private String name() {
    return String.valueOf(path.getFileName());
  }

  /** One row. */
  static final class CsvRow {
    private final Map<String, Integer> columns;
    private final String[] values;
    private final long line;

    private CsvRow(Map<String, Integer> columns, String[] values, long line) {
      this.columns = columns;
      this.values = values;
      this.line = line;
    }

    /** Its line in the file, from 1, the header included. */
    long line() {
      return line;
    }

    /** The value of a column; empty if the row or the file has none. */
    Optional<String> text(String column) {
      Integer index = columns.get(column);
      return index == null || index >= values.length || values[index].isBlank()
          ? Optional.empty()
          : Optional.of(values[index].strip());
    }

    boolean hasColumn(String column) {
      return columns.containsKey(column);
    }

    String required(String column) {
      return text(column).orElseThrow(() -> invalid(column, "expected a value, found none"));
    }

    /** A whole number that is not negative and fits into an int. */
    int number(String column) {
      return number(column, required(column));
    }

    Optional<Integer> numberIfAny(String column) {
      return text(column).map(value -> number(column, value));
    }

    private static int number(String column, String value) {
      if (!value.matches("\\d{1,9}(\\.0+)?")) {
        throw invalid(column, "expected a whole number from 0 to 999999999, found " + value);
      }
      return Integer.parseInt(value.replaceAll("\\..*", ""));
    }

    double decimal(String column) {
      String value = required(column);
      if (!value.matches("-?\\d{1,12}(\\.\\d{1,18})?([eE]-?\\d{1,2})?")) {
        throw invalid(column, "expected a number, found " + value);
      }
      return Double.parseDouble(value);
    }

    /** A time or a duration in seconds: a whole number of seconds, or text like {@code 1h30m}. */
    Optional<Integer> secondsIfAny(String column) {
      return text(column).map(value -> seconds(column, value));
    }

    int seconds(String column) {
      return seconds(column, required(column));
    }

    static int seconds(String column, String value) {
      if (value.matches("\\d{1,9}")) {
        return Integer.parseInt(value);
      }
      return Durations.parse(value)
          .map(Duration::toSeconds)
          .filter(seconds -> seconds <= WorkloadTrace.LONGEST.toSeconds())
          .map(Math::toIntExact)
          .orElseThrow(
              () ->
                  invalid(
                      column,
                      "expected seconds or "
                          + Durations.EXAMPLES
                          + ", at most 3650d and not negative, found "
                          + value));
    }

    static InvalidValue invalid(String column, String message) {
      return new InvalidValue(column, message);
    }
  }
}
