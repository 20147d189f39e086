package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import java.util.List;
import java.util.stream.Collectors;

/** A way in which a Prometheus offers evidence; from the best to the poorest. */
sealed interface Form {

  /** The same for people and metrics; its code is the name in the configuration. */
  FormatName told();

  /** The records of our own agents. */
  record Ledger() implements Form {
    @Override
    public FormatName told() {
      return new FormatName("ledger", "what the agents recorded");
    }
  }

  /** The clocks that the recording rules of deploy/rules keep. */
  record Rules() implements Form {
    @Override
    public FormatName told() {
      return new FormatName("rules", "the clocks of the recording rules");
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
    public FormatName told() {
      return new FormatName(
          "series",
          "clocks kept here over "
              + signs.stream().map(ActivitySign::metric).sorted().collect(Collectors.joining(", "))
              + "; pods by "
              + labels.uid().orElse(labels.style().namespace() + " and " + labels.style().pod()));
    }
  }
}
