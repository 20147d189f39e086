package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.CountersProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads comma-separated values as strictly as dcgm-exporter does: a comment begins in the first
 * column; a cell is quoted from its first character or not at all; a quote within quotes is written
 * twice; a quoted cell may run over several lines. Blanks are left where they are. The mark of the
 * byte order that some editors write before all else is no part of the text.
 */
final class Csv {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String[] lines;
  private int at;
  private int column;

  private Csv(String text) {
    int start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    this.lines = text.substring(start).split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].endsWith("\r")) {
        lines[i] = lines[i].substring(0, lines[i].length() - 1);
      }
    }
  }

  /**
   * One cell.
   *
   * @param line where it begins, from 1
   * @param column where it begins, from 1, in characters
   * @param text without the quotes around it
   */
  record Cell(int line, int column, String text) {}

  /** The text is not in this form from here on. */
  static final class Violation extends Exception {
    private static final long serialVersionUID = 1;

    private final transient CountersProblem problem;

    Violation(CountersProblem problem) {
      super(problem.toString());
      this.problem = problem;
    }

    CountersProblem problem() {
      return problem;
    }
  }

  /** The rows, each with at least one cell; empty lines and comments are none. */
  static List<List<Cell>> rows(String text) throws Violation {
    var csv = new Csv(text);
    var rows = new ArrayList<List<Cell>>();
    for (; csv.at < csv.lines.length; csv.at++) {
      if (!csv.line().isEmpty() && !csv.line().startsWith("#")) {
        rows.add(csv.row());
      }
    }
    return rows;
  }

  private String line() {
    return lines[at];
  }

  private List<Cell> row() throws Violation {
    var cells = new ArrayList<Cell>();
    boolean more = true;
    for (column = 0; more; column++) {
      cells.add(line().startsWith("\"", column) ? quoted() : plain());
      more = column < line().length();
    }
    return cells;
  }

  /** Ends before a comma, or at the end of the line. */
  private Cell plain() throws Violation {
    int comma = line().indexOf(',', column);
    int end = comma < 0 ? line().length() : comma;
    var cell = new Cell(at + 1, place(column), line().substring(column, end));
    int quote = cell.text().indexOf('"');
    if (quote >= 0) {
      throw violation(
          at, column + quote, "a quote stands in a cell that does not begin with a quote");
    }
    column = end;
    return cell;
  }

  private Cell quoted() throws Violation {
    int firstLine = at;
    int firstColumn = column;
    int place = place(column);
    var text = new StringBuilder();
    column++;
    while (true) {
      int quote = line().indexOf('"', column);
      if (quote < 0) {
        text.append(line(), column, line().length()).append('\n');
        nextLine(firstLine, firstColumn);
        continue;
      }
      text.append(line(), column, quote);
      column = quote + 1;
      if (line().startsWith("\"", column)) {
        text.append('"');
        column++;
      } else if (column == line().length() || line().charAt(column) == ',') {
        return new Cell(firstLine + 1, place, text.toString());
      } else {
        throw violation(
            at, quote, "a quote that closes a cell must be followed by a comma or the line's end");
      }
    }
  }

  private void nextLine(int firstLine, int firstColumn) throws Violation {
    if (at + 1 == lines.length) {
      throw violation(firstLine, firstColumn, "a quote is opened and never closed");
    }
    at++;
    column = 0;
  }

  private int place(int index) {
    return place(at, index);
  }

  /** Characters, not halves of them. */
  private int place(int line, int index) {
    return lines[line].codePointCount(0, index) + 1;
  }

  private Violation violation(int line, int index, String reason) {
    return new Violation(new CountersProblem(line + 1, place(line, index), reason));
  }
}
