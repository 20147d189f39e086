package io.gpureclaimer.reclaimer.plan;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a usual pod requests in addition to devices: of each resource the median of some pods, of
 * two middle ones the larger.
 *
 * @param requests by resource, in thousandths; without those that fewer than half of the pods
 *     request, and empty if no pod is known
 */
record UsualPod(Map<String, Long> requests) {
  private static final List<String> BINARY_UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi");

  UsualPod {
    requests = Map.copyOf(requests);
  }

  static UsualPod of(Collection<Map<String, Long>> pods) {
    Map<String, Long> medians = new HashMap<>();
    pods.stream()
        .flatMap(each -> each.keySet().stream())
        .distinct()
        .forEach(
            name -> {
              long[] sorted =
                  pods.stream().mapToLong(each -> each.getOrDefault(name, 0L)).sorted().toArray();
              long median = sorted[sorted.length / 2];
              if (median > 0) {
                medians.put(name, median);
              }
            });
    return new UsualPod(medians);
  }

  /** The requests as Kubernetes writes them, by name. */
  SortedMap<String, String> quantities() {
    SortedMap<String, String> quantities = new TreeMap<>();
    requests.forEach((name, amount) -> quantities.put(name, quantity(amount)));
    return quantities;
  }

  /** {@code cpu 8, memory 64Gi}: what it requests of these resources. */
  String text(Collection<String> names) {
    return quantities().entrySet().stream()
        .filter(each -> names.contains(each.getKey()))
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String quantity(long thousandths) {
    if (thousandths % 1000 != 0) {
      return thousandths + "m";
    }
    long whole = thousandths / 1000;
    int unit = 0;
    while (whole % 1024 == 0 && unit < BINARY_UNITS.size() - 1) {
      whole /= 1024;
      unit++;
    }
    return whole + BINARY_UNITS.get(unit);
  }
}
