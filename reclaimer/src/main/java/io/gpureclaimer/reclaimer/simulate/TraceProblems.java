package io.gpureclaimer.reclaimer.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Rows of trace files that cannot be used, in the order of reading. Confined to one thread. */
public final class TraceProblems {
  private static final int MOST_NAMED = 20;

  private final List<TraceProblem> problems = new ArrayList<>();

  /**
   * What is wrong with a row.
   *
   * @param line of the file, from 1, the header included
   * @param message what was expected and what was found, without the final stop
   */
  public record TraceProblem(String file, long line, String column, String message) {
    @Override
    public String toString() {
      return file + ", line " + line + ", column " + column + ": " + message;
    }
  }

  /** A trace that is not used, because rows of it cannot be. */
  public static final class InvalidTrace extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A trace that is refused, with one sentence for people. */
    public InvalidTrace(String message) {
      super(message);
    }
  }

  void add(TraceProblem problem) {
    problems.add(problem);
  }

  /** How many rows. */
  public int count() {
    return problems.size();
  }

  /** One line for each, but not for more than twenty. */
  public List<String> lines() {
    Stream<String> named = problems.stream().limit(MOST_NAMED).map(TraceProblem::toString);
    int more = problems.size() - MOST_NAMED;
    return (more > 0 ? Stream.concat(named, Stream.of("and " + more + " more")) : named).toList();
  }
}
