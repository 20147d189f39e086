package io.gpureclaimer.common.vocabulary;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** How many single-character edits lie between two words. */
public final class EditDistance {
  private static final int LONGEST = 100;

  private EditDistance() {}

  /** The name that is a few edits away, the nearest first; empty if all are farther. */
  public static Optional<String> nearest(String written, Collection<String> names) {
    int farthest = Math.max(2, written.length() / 4);
    return written.length() > LONGEST
        ? Optional.empty()
        : names.stream()
            .filter(name -> Math.abs(name.length() - written.length()) <= farthest)
            .filter(name -> of(written, name) <= farthest)
            .min(
                Comparator.<String>comparingInt(name -> of(written, name))
                    .thenComparing(Comparator.naturalOrder()));
  }

  /** Zero for the same word. */
  public static int of(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
