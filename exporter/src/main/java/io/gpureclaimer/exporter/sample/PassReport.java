package io.gpureclaimer.exporter.sample;

import java.time.Duration;
import java.util.Map;

/**
 * Failures and times of a pass.
 *
 * @param took from its first question to its last answer
 * @param errors how often each call of the driver failed
 * @param collectors what each collector spent and failed, by its name, over all GPUs
 */
public record PassReport(
    Duration took, Map<CallError, Integer> errors, Map<String, CollectorReport> collectors) {

  /** The report of a pass that could not ask anything. */
  public static final PassReport NOTHING_ASKED = new PassReport(Duration.ZERO, Map.of(), Map.of());

  public PassReport {
    errors = Map.copyOf(errors);
    collectors = Map.copyOf(collectors);
  }

  /**
   * A call about a GPU that failed.
   *
   * @param gpu the driver's index
   * @param call name of the C function; empty if unknown
   * @param code lower-case name of the return code
   */
  public record CallError(int gpu, String call, String code) {}

  /**
   * Failures and time of one collector.
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
