package io.gpureclaimer.verification.scenario.scheduling;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where two schedulers bound the same pods, compared by the class of the node.
 *
 * @param name of the comparison
 * @param nodes how many nodes there are
 * @param agreeing pods that are pending in both, or bound to nodes of the same class
 * @param pending pods that are pending in both
 * @param differences how many pods differ in the same way
 */
record PlacementComparison(
    String name, int nodes, int pods, int agreeing, int pending, Map<String, Integer> differences) {
  private static final int SHOWN = 20;
  private static final String PENDING = "pending";

  /**
   * Compares two schedulers.
   *
   * @param expected class of the node by pod; empty for a pending pod
   * @param found the same of the other scheduler
   */
  static PlacementComparison of(
      String name,
      int nodes,
      Map<String, Optional<String>> expected,
      Map<String, Optional<String>> found) {
    if (!expected.keySet().equals(found.keySet())) {
      throw new IllegalArgumentException("expected the same pods on both sides");
    }
    int agreeing = 0;
    int pending = 0;
    Map<String, Integer> differences = new TreeMap<>();
    for (Map.Entry<String, Optional<String>> pod : expected.entrySet()) {
      Optional<String> other = found.getOrDefault(pod.getKey(), Optional.empty());
      if (pod.getValue().equals(other)) {
        agreeing++;
        pending += other.isEmpty() ? 1 : 0;
      } else {
        differences.merge(
            pod.getValue().orElse(PENDING) + " -> " + other.orElse(PENDING), 1, Integer::sum);
      }
    }
    return new PlacementComparison(name, nodes, expected.size(), agreeing, pending, differences);
  }

  /** Share of the pods that agree. */
  double agreement() {
    return pods == 0 ? 1 : (double) agreeing / pods;
  }

  /** Pods that only one of the two bound. */
  int pendingInOneOnly() {
    return differences.entrySet().stream()
        .filter(each -> each.getKey().contains(PENDING))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  String text() {
    var text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %d nodes, %d pods, %.2f %% agree (%d pending in both, %d in one only)%n",
            name,
            nodes,
            pods,
            100 * agreement(),
            pending,
            pendingInOneOnly()));
    differences.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(SHOWN)
        .forEach(
            each ->
                text.append(
                    String.format(Locale.ROOT, "  %5d  %s%n", each.getValue(), each.getKey())));
    return text.toString();
  }

  /** Writes it as JSON. */
  void write(Path file) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("nodes", nodes);
    fields.put("pods", pods);
    fields.put("agreeing", agreeing);
    fields.put("agreement", agreement());
    fields.put("pendingInBoth", pending);
    fields.put("pendingInOneOnly", pendingInOneOnly());
    fields.put("differences", differences);
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, Serialization.asJson(fields));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
