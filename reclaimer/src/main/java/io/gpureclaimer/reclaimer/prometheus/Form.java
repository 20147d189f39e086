package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.core.vocabulary.ActivitySign;
import java.util.List;
import java.util.stream.Collectors;

/** A way in which a Prometheus offers evidence; from the best to the poorest. */
sealed interface Form {

  /** The stable name, for metrics and configuration. */
  String code();

  /** What it was made of, for people. */
  String text();

  /** The records of our own agents. */
  record Ledger() implements Form {
    @Override
    public String code() {
      return "ledger";
    }

    @Override
    public String text() {
      return "ledger: what the agents recorded";
    }
  }

  /** The clocks that the recording rules of deploy/rules keep. */
  record Rules() implements Form {
    @Override
    public String code() {
      return "rules";
    }

    @Override
    public String text() {
      return "rules: the clocks of the recording rules";
    }
  }

  /**
   * The series of dcgm-exporter or its like, over which the clocks are kept here.
   *
   * @param labels by which they name pods and devices
   * @param signs those that are there
   */
  record Series(PodLabels labels, List<ActivitySign> signs) implements Form {
    public Series {
      signs = List.copyOf(signs);
    }

    @Override
    public String code() {
      return "series";
    }

    @Override
    public String text() {
      return "series: clocks kept here over "
          + signs.stream().map(ActivitySign::metric).sorted().collect(Collectors.joining(", "))
          + "; pods by "
          + labels.uid().orElse(labels.style().namespace() + " and " + labels.style().pod());
    }
  }
}
