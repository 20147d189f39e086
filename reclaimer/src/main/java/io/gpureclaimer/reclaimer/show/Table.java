package io.gpureclaimer.reclaimer.show;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Columns of text, as wide as their widest cell. */
final class Table {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  Table(String... header) {
    rows.add(header);
  }

  void add(String... row) {
    if (row.length != rows.getFirst().length) {
      throw new IllegalArgumentException(
          "expected " + rows.getFirst().length + " cells, was " + row.length);
    }
    rows.add(row);
  }

  String text() {
    int last = rows.getFirst().length - 1;
    var text = new StringBuilder();
    int[] widths = IntStream.range(0, last).map(this::width).toArray();
    for (String[] row : rows) {
      for (int column = 0; column < last; column++) {
        text.append(row[column])
            .append(" ".repeat(widths[column] - row[column].length()))
            .append(GAP);
      }
      text.append(row[last]).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row[column].length()).max().orElseThrow();
  }
}
