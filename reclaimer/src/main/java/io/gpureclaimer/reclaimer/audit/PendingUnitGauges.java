package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.GaugeMetricFamily;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Gauges of pending units by what they request, and of how long they have been pending. */
final class PendingUnitGauges {
  private static final double MILLIS_PER_SECOND = 1_000.0;
  private static final List<String> LABELS = List.of("resource", "devices", "outcome");

  private PendingUnitGauges() {}

  static List<MetricFamilySamples> of(CycleReport report) {
    var units =
        new GaugeMetricFamily(
            "gpu_reclaimer_pending_units",
            "Pending pods and groups of pods that are of use only together, by the devices that"
                + " they request and by what the plan does for them.",
            LABELS);
    var longest =
        new GaugeMetricFamily(
            "gpu_reclaimer_pending_longest_wait_seconds",
            "Time since the first refusal of the scheduler, of the unit that has been pending for"
                + " longest.",
            LABELS);
    Map<List<String>, List<PendingStatus>> byShape =
        report.plan().pending().stream()
            .collect(
                Collectors.groupingBy(
                    PendingUnitGauges::shape,
                    () -> new TreeMap<>(Comparator.comparing(List::toString)),
                    Collectors.toList()));
    byShape.forEach(
        (labels, all) -> {
          units.addMetric(labels, all.size());
          all.stream()
              .flatMap(unit -> unit.since().stream())
              .min(Comparator.naturalOrder())
              .map(since -> Duration.between(since, report.at()).toMillis() / MILLIS_PER_SECOND)
              .ifPresent(seconds -> longest.addMetric(labels, seconds));
        });
    return List.of(units, longest);
  }

  /** A claim that cannot be read may be of any number of devices. */
  private static List<String> shape(PendingStatus unit) {
    Map<String, Integer> requested = unit.requested();
    String outcome = unit.outcome().code();
    if (requested.isEmpty()) {
      return List.of("claims", "unknown", outcome);
    }
    int devices = requested.values().stream().mapToInt(Integer::intValue).sum();
    String resource =
        requested.size() == 1
            ? WorkloadGauges.withoutSelectors(requested.keySet().iterator().next())
            : "several";
    return List.of(resource, Integer.toString(devices), outcome);
  }
}
