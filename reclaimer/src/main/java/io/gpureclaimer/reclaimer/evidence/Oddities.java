package io.gpureclaimer.reclaimer.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The lines about what a look left out: few enough to read, and the same whatever order they came
 * in. Confined to the thread of its {@link Gathering}.
 */
final class Oddities {
  private static final int MOST_LINES = 100;
  private static final int LONGEST_LINE = 400;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private final TreeSet<String> first = new TreeSet<>();
  private int met;

  void add(String text) {
    met++;
    String line = CONTROL.matcher(text).replaceAll(" ");
    first.add(line.substring(0, Math.min(line.length(), LONGEST_LINE)));
    if (first.size() > MOST_LINES) {
      first.pollLast();
    }
  }

  List<String> lines() {
    var lines = new ArrayList<>(first);
    if (lines.size() == MOST_LINES && met > MOST_LINES) {
      lines.add("only the first " + MOST_LINES + " of " + met + " oddities are listed");
    }
    return lines;
  }
}
