package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts how often the observation of a device begins again although the look before saw it, too.
 * Where that is the rule, nothing ever becomes idle, and nothing is reclaimed. Confined to one
 * thread at a time.
 */
final class ContinuityCheck {
  /** Restarts of exporters are far below. */
  private static final int MOST_RESTARTS_PERCENT = 20;

  private static final int PERCENT = 100;

  private Map<ObservedDevice, Instant> before = Map.of();
  private long pairs;
  private long restarts;

  private record ObservedDevice(String pod, Entity device) {}

  void check(HistoricalObservation observation) {
    Map<ObservedDevice, Instant> now = new HashMap<>();
    observation.seen().pods().forEach((uid, pod) -> add(uid, pod, now));
    observation.seen().unjoined().pods().forEach((name, pod) -> add(name.toString(), pod, now));
    now.forEach(
        (device, since) -> {
          Instant earlier = before.get(device);
          if (earlier != null) {
            pairs++;
            restarts += since.isAfter(earlier) ? 1 : 0;
          }
        });
    before = now;
  }

  private static void add(String pod, PodActivity activity, Map<ObservedDevice, Instant> into) {
    for (DeviceActivity device : activity.devices()) {
      into.put(new ObservedDevice(pod, device.device()), device.observedSince());
    }
  }

  /** Why no answer follows from the looks; empty if one does. */
  Optional<String> problem() {
    return restarts * PERCENT > pairs * MOST_RESTARTS_PERCENT
        ? Optional.of(
            "expected observations that last from look to look, found that "
                + restarts
                + " of "
                + pairs
                + " begin again: samples are further apart than the clocks over series allow, so that"
                + " nothing would ever count as idle. Scrape the exporter at least once a minute, or"
                + " use this project's exporter or its recording rules")
        : Optional.empty();
  }
}
