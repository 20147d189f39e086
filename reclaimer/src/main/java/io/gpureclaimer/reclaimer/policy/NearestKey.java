package io.gpureclaimer.reclaimer.policy;

import java.util.Comparator;

/** The annotation key that somebody probably meant. */
final class NearestKey {

  private NearestKey() {}

  /** The key that people may write and that takes the fewest edits. */
  static String to(String key) {
    return KnownKeys.POLICY.stream()
        .min(Comparator.comparingInt((String known) -> edits(key, known)))
        .orElseThrow();
  }

  /** Levenshtein's distance. */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      row[column] = column;
    }
    for (int line = 1; line <= from.length(); line++) {
      int diagonal = row[0];
      row[0] = line;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
        diagonal = row[column];
        row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
      }
    }
    return row[to.length()];
  }
}
