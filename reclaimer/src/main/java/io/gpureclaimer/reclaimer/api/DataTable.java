package io.gpureclaimer.reclaimer.api;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A table of a report: its JSON, its CSV and its description have the same columns.
 *
 * @param name in addresses
 * @param summary a noun phrase for people
 * @param isWholeOnly whether only readers of all namespaces get it
 * @param rows of a report; empty while they cannot be read
 */
public record DataTable<T>(
    String name,
    String summary,
    List<TableColumn<T>> columns,
    boolean isWholeOnly,
    Function<CycleReport, Optional<List<T>>> rows) {
  private static final int SCHEMA = 1;

  public DataTable {
    columns = List.copyOf(columns);
  }

  /** What the values of a column are. */
  public enum ColumnType {
    TEXT,
    /** True or false. */
    FLAG,
    /** A whole number. */
    COUNT,
    /** A whole number of seconds. */
    SECONDS,
    /** A time in UTC, as in RFC 3339. */
    TIME
  }

  /**
   * A column.
   *
   * @param meaning a noun phrase for people, with when it is absent
   * @param value of a row; empty if it is absent
   */
  public record TableColumn<T>(
      String name, ColumnType type, String meaning, Function<T, Optional<?>> value) {

    static <T> TableColumn<T> text(String name, String meaning, Function<T, String> value) {
      return new TableColumn<>(
          name, ColumnType.TEXT, meaning, row -> Optional.of(value.apply(row)));
    }

    static <T> TableColumn<T> count(String name, String meaning, Function<T, Integer> value) {
      return new TableColumn<>(
          name, ColumnType.COUNT, meaning, row -> Optional.of(value.apply(row)));
    }

    static <T> TableColumn<T> optional(
        String name, ColumnType type, String meaning, Function<T, Optional<?>> value) {
      return new TableColumn<>(name, type, meaning, value);
    }

    /** The value as text; empty if it is absent. */
    String textOf(T row) {
      return value.apply(row).map(TableColumn::format).orElse("");
    }

    private Optional<Object> jsonOf(T row) {
      return value.apply(row).map(it -> it instanceof Instant ? format(it) : it);
    }

    private static String format(Object value) {
      return value instanceof Instant at
          ? at.truncatedTo(ChronoUnit.SECONDS).toString()
          : value.toString();
    }
  }

  /** The columns by which rows can be filtered. */
  public List<String> filters() {
    return columns.stream()
        .filter(column -> column.type() == ColumnType.TEXT)
        .map(TableColumn::name)
        .toList();
  }

  /**
   * The rows as JSON; empty while they cannot be read.
   *
   * @param filter values that columns must have, by name
   */
  public Optional<String> json(CycleReport report, Map<String, String> filter) {
    return filtered(report, filter)
        .map(
            found ->
                Json.indented(
                    new TreeMap<>(
                        Map.of(
                            "schema",
                            SCHEMA,
                            "at",
                            report.at().toString(),
                            name,
                            found.stream().map(this::object).toList()))));
  }

  private Map<String, Object> object(T row) {
    Map<String, Object> object = new TreeMap<>();
    columns.forEach(
        column -> column.jsonOf(row).ifPresent(value -> object.put(column.name(), value)));
    return object;
  }

  /**
   * The rows as CSV (RFC 4180) with a header; empty while they cannot be read.
   *
   * @param filter values that columns must have, by name
   */
  public Optional<String> csv(CycleReport report, Map<String, String> filter) {
    return filtered(report, filter)
        .map(
            found -> {
              var text = new StringBuilder(line(columns.stream().map(TableColumn::name).toList()));
              found.forEach(
                  row ->
                      text.append(
                          line(columns.stream().map(column -> column.textOf(row)).toList())));
              return text.toString();
            });
  }

  private Optional<List<T>> filtered(CycleReport report, Map<String, String> filter) {
    List<TableColumn<T>> asked =
        columns.stream().filter(column -> filter.containsKey(column.name())).toList();
    return rows.apply(report)
        .map(
            all ->
                all.stream()
                    .filter(
                        row ->
                            asked.stream()
                                .allMatch(
                                    column -> column.textOf(row).equals(filter.get(column.name()))))
                    .toList());
  }

  private static String line(List<String> cells) {
    return cells.stream().map(DataTable::quoted).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static String quoted(String cell) {
    return cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? "\"" + cell.replace("\"", "\"\"") + "\""
        : cell;
  }
}
