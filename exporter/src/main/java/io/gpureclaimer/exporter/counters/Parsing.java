package io.gpureclaimer.exporter.counters;

import java.util.List;

/** What came of reading a counters file. */
public sealed interface Parsing {

  /** It is in order; rows that are not served are listed in the set. */
  record Parsed(CounterSet set) implements Parsing {}

  /**
   * It is not, and nothing of it is used.
   *
   * @param problems at least one, in the order of the file
   */
  record Refused(List<Problem> problems) implements Parsing {
    public Refused {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("a refusal needs a problem");
      }
    }

    /** One line: the first problem, and how many there are besides. */
    public String inOneLine() {
      int more = problems.size() - 1;
      return problems.getFirst() + (more == 0 ? "" : " (and " + more + " more)");
    }
  }
}
