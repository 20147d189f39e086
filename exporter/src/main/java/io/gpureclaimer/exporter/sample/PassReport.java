package io.gpureclaimer.exporter.sample;

import java.time.Duration;
import java.util.Map;

/**
 * How a pass went, apart from what it read.
 *
 * @param took from its first question to its last answer
 * @param errorsByCode failed answers of the driver, by the lower-case name of the return code
 * @param collectors what each collector spent and failed, by its name, over all GPUs
 */
public record PassReport(
    Duration took, Map<String, Integer> errorsByCode, Map<String, CollectorReport> collectors) {

  /** The report of a pass that could not ask anything. */
  public static final PassReport NOTHING_ASKED = new PassReport(Duration.ZERO, Map.of(), Map.of());

  public PassReport {
    errorsByCode = Map.copyOf(errorsByCode);
    collectors = Map.copyOf(collectors);
  }

  /**
   * One collector's part.
   *
   * @param took time spent, over all GPUs that answered in time
   * @param failures questions that failed, and collections that were broken off
   */
  public record CollectorReport(Duration took, int failures) {
    /** Both together. */
    public CollectorReport plus(CollectorReport other) {
      return new CollectorReport(took.plus(other.took), failures + other.failures);
    }
  }
}
