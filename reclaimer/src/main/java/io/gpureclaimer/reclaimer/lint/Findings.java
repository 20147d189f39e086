package io.gpureclaimer.reclaimer.lint;

import java.util.List;
import java.util.stream.Collectors;

/**
 * All that was found.
 *
 * @param all in the order of the files and of what is in them
 */
public record Findings(List<Finding> all) {
  public Findings {
    all = List.copyOf(all);
  }

  /** How many of them are mistakes; the others only say that something else is allowed. */
  public long mistakes() {
    return all.stream().filter(finding -> finding.remark().isMistake()).count();
  }

  /** A line for each; nothing where there is none. */
  public String text() {
    return all.stream().map(finding -> finding.text() + "\n").collect(Collectors.joining());
  }
}
