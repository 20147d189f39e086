package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Report of a run in Markdown: tables of checks, and facts without a judgment. */
final class CheckReport {
  private static final int HOLDS = 0;
  private static final int DIFFERENCE = 1;
  private static final int NOTHING_CHECKED = 2;

  private final Map<String, List<CheckRow>> checks = new LinkedHashMap<>();
  private final Map<String, List<String>> facts = new LinkedHashMap<>();

  void add(String section, List<CheckRow> rows) {
    checks.computeIfAbsent(section, _ -> new ArrayList<>()).addAll(rows);
  }

  void fact(String section, String text) {
    facts.computeIfAbsent(section, _ -> new ArrayList<>()).add(text);
  }

  private long count(Result result) {
    return checks.values().stream()
        .flatMap(List::stream)
        .filter(row -> row.result() == result)
        .count();
  }

  /** 0 if everything that could be checked holds, 1 for a difference, 2 if nothing was checked. */
  int exitCode() {
    if (count(Result.FAIL) > 0) {
      return DIFFERENCE;
    }
    return count(Result.PASS) > 0 ? HOLDS : NOTHING_CHECKED;
  }

  /** One line with the outcome. */
  String summary() {
    String counts =
        count(Result.PASS)
            + " pass, "
            + count(Result.FAIL)
            + " fail, "
            + count(Result.NOT_CHECKED)
            + " not checked";
    return switch (exitCode()) {
      case HOLDS -> "Everything that could be checked holds: " + counts;
      case DIFFERENCE -> "Differences found: " + counts;
      default -> "Nothing could be checked: no driver";
    };
  }

  String markdown() {
    var text = new StringBuilder("# GPU check of gpu-exporter\n\n" + summary() + ".\n");
    facts.forEach(
        (section, lines) -> {
          text.append("\n## ").append(section).append("\n\n");
          lines.forEach(line -> text.append("- ").append(line).append('\n'));
        });
    checks.forEach((section, rows) -> table(text, section, rows));
    return text.toString();
  }

  private static void table(StringBuilder text, String section, List<CheckRow> rows) {
    text.append("\n## ").append(section).append("\n\n");
    text.append("| subject | expected | found | result |\n|---|---|---|---|\n");
    for (CheckRow row : rows) {
      text.append("| ")
          .append(cell(row.subject()))
          .append(" | ")
          .append(cell(row.expected()))
          .append(" | ")
          .append(cell(row.found()))
          .append(" | ")
          .append(row.result().text())
          .append(" |\n");
    }
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace('\n', ' ');
  }
}
