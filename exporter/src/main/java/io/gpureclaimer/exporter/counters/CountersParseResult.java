package io.gpureclaimer.exporter.counters;

import java.util.List;

/** What came of reading a counters file. */
public sealed interface CountersParseResult {

  /** It is in order; rows that are not served are listed in the set. */
  record Parsed(CounterSet set) implements CountersParseResult {}

  /**
   * It is not, and nothing of it is used.
   *
   * @param problems at least one, in the order of the file
   */
  record Refused(List<CountersProblem> problems) implements CountersParseResult {
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

  /**
   * What is wrong with a counters file, and where.
   *
   * @param line from 1
   * @param column from 1, in characters
   * @param reason for people: what was expected and what was found
   */
  record CountersProblem(int line, int column, String reason) {
    @Override
    public String toString() {
      return "line " + line + ", column " + column + ": " + reason;
    }
  }
}
