package io.gpureclaimer.exporter.sample;

/** Utilization of a GPU since the previous pass, from the driver's own samples. */
public sealed interface UtilizationSamples {

  /**
   * The samples cover that time.
   *
   * @param meanPercent share of it in which the GPU worked
   * @param peakPercent the same of the busiest sample: a burst between two passes shows here
   */
  record Measured(double meanPercent, double peakPercent) implements UtilizationSamples {
    private static final double MOST = 100;

    public Measured {
      if (!(meanPercent >= 0 && meanPercent <= peakPercent && peakPercent <= MOST)) {
        throw new IllegalArgumentException(
            "expected 0 <= mean <= peak <= 100, found " + meanPercent + " and " + peakPercent);
      }
    }
  }

  /** Nothing: there are no such samples of this device, or none from that time. */
  record Unknown() implements UtilizationSamples {}

  /** The driver should have reported them and failed to, this time. */
  record Failed(String reason) implements UtilizationSamples {}
}
