package io.gpureclaimer.reclaimer.faults;

import java.util.List;
import java.util.SortedMap;

/** What an expression comes to. */
sealed interface PromQlValue {

  /** An instant vector. */
  record Vector(List<Element> elements) implements PromQlValue {}

  /** A range vector. */
  record Matrix(List<Range> ranges) implements PromQlValue {}

  /**
   * One series of a range vector; never without samples.
   *
   * @param fromMillis where the range begins, wherever its samples do
   * @param untilMillis where it ends
   */
  record Range(
      SortedMap<String, String> labels,
      List<SampleHistory.StoredPoint> points,
      long fromMillis,
      long untilMillis) {}

  /** A scalar. */
  record Scalar(double value) implements PromQlValue {}

  /** A string. */
  record Text(String value) implements PromQlValue {}

  /**
   * One element of an instant vector.
   *
   * @param sampledMillis the time of the sample it is, for as long as it is one
   */
  record Element(SortedMap<String, String> labels, double value, long sampledMillis) {}
}
