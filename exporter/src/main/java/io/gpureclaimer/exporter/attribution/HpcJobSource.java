package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.exporter.sample.Jobs;

/** Source of the jobs of a batch scheduler on this node. */
public interface HpcJobSource {

  /**
   * Which jobs run where now; never fails and never waits.
   *
   * @param inventory which devices there are
   */
  Jobs now(DeviceLookup inventory);

  /** For a node without a batch scheduler. */
  static HpcJobSource none() {
    return _ -> Jobs.NOT_ASKED;
  }
}
