package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.util.function.Consumer;

/** What the elements of an answer must be, and who takes them while they come. */
sealed interface Elements {

  /** As the answer has to call it. */
  String resultType();

  /** As people call the question. */
  String question();

  /** One sample of each series. */
  record Vector(Consumer<VectorSample> into) implements Elements {
    @Override
    public String resultType() {
      return "vector";
    }

    @Override
    public String question() {
      return "an instant query";
    }
  }

  /** All samples of each series in a range. */
  record Matrix(Consumer<RangeSeries> into) implements Elements {
    @Override
    public String resultType() {
      return "matrix";
    }

    @Override
    public String question() {
      return "a range query";
    }
  }
}
