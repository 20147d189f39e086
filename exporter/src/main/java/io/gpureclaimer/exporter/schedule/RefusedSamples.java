package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Load;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once that the driver goes on failing to tell a GPU's samples, without which its holders are
 * not observed; and once that it tells them again. Confined to the sampling job.
 */
final class RefusedSamples {
  private static final Logger log = LoggerFactory.getLogger(RefusedSamples.class);

  /** Fewer are a hiccup, through which an observation goes on. */
  private static final int PASSES = 5;

  /** How many passes in a row, by the driver's index. */
  private Map<Integer, Integer> failed = new HashMap<>();

  void log(Snapshot snapshot) {
    var now = new HashMap<Integer, Integer>();
    for (GpuSample sample : snapshot.gpus()) {
      if (sample instanceof Answered gpu) {
        see(gpu, now);
      }
    }
    failed = now;
  }

  private void see(Answered gpu, Map<Integer, Integer> now) {
    int before = failed.getOrDefault(gpu.index(), 0);
    if (gpu.load() instanceof Load.Failed(var reason)) {
      now.put(gpu.index(), Math.min(before + 1, PASSES));
      if (before == PASSES - 1) {
        log.warn(
            "GPU {} ({}): the driver refuses its utilization samples: {}; where they are a sign of"
                + " work, its holders are not observed",
            gpu.index(),
            gpu.device().uuid(),
            reason);
      }
    } else if (before == PASSES) {
      log.info(
          "GPU {} ({}): the driver tells its utilization samples again",
          gpu.index(),
          gpu.device().uuid());
    }
  }
}
