package io.gpureclaimer.verification.scenario.scheduling;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the reclaimer reports about pending pods, beside what the scheduler does with them after
 * that. Confined to the thread of the test.
 */
final class FeasibilityComparison {
  private static final Duration AFTER = Duration.ofSeconds(15);

  private final PlayedPods pods;
  private final List<ReportedOutcome> open = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, String> examples = new TreeMap<>();
  private final Map<String, Integer> disagreementsByOutcome = new TreeMap<>();
  private int compared;
  private int disagreements;

  /** Outcome that was reported for a pending pod. */
  private record ReportedOutcome(String pod, String outcome, String reason, Instant at) {}

  FeasibilityComparison(PlayedPods pods) {
    this.pods = pods;
  }

  /** Compares earlier reports, and takes the present ones of the table {@code pending}. */
  void sample(JsonNode rows, Instant now) {
    open.removeIf(
        claim -> {
          boolean isDue = !claim.at().plus(AFTER).isAfter(now);
          if (isDue) {
            compare(claim);
          }
          return isDue;
        });
    for (JsonNode row : rows) {
      if (row.path("pods").asInt() == 1) {
        open.add(
            new ReportedOutcome(
                row.path("name").asText(),
                row.path("outcome").asText(),
                row.path("reason").asText(),
                now));
      }
    }
  }

  private void compare(ReportedOutcome claim) {
    String found =
        pods.find(claim.pod())
            .map(pod -> pod.getSpec().getNodeName() == null ? "pending" : "bound")
            .orElse("gone");
    compared++;
    counts.merge(claim.outcome() + ", then " + found, 1, Integer::sum);
    if (isDisagreement(claim, found)) {
      disagreements++;
      disagreementsByOutcome.merge(claim.outcome() + ", then " + found, 1, Integer::sum);
      examples.putIfAbsent(
          claim.outcome() + ", then " + found,
          claim.pod()
              + ": "
              + claim.reason()
              + "; scheduler: "
              + pods.find(claim.pod()).map(FeasibilityComparison::words).orElse("-"));
    }
  }

  /**
   * Free GPUs that help no pod, a pod that needs more although a node lacks only GPUs, or a pod
   * that is bound although no other pod made room.
   */
  private boolean isDisagreement(ReportedOutcome claim, String found) {
    return switch (claim.outcome()) {
      case "enough-free" -> found.equals("pending");
      case "needs-more" ->
          found.equals("pending")
              && pods.find(claim.pod()).map(FeasibilityComparison::lacksOnlyGpus).orElse(false);
      default -> found.equals("bound") && !pods.hasDeparturesSince(claim.at().minus(AFTER));
    };
  }

  /** Whether the scheduler counts more nodes without enough GPUs than nodes with other reasons. */
  private static boolean lacksOnlyGpus(Pod pod) {
    String reasons =
        words(pod).replaceFirst("^0/\\d+ nodes are available: ", "").split("\\. ", -1)[0];
    int more = 0;
    for (String reason : reasons.split(", (?=\\d)", -1)) {
      int nodes = Integer.parseInt("0" + reason.replaceFirst("\\D.*", ""));
      more += reason.contains("Insufficient nvidia.com/gpu") ? nodes : -nodes;
    }
    return more > 0;
  }

  private static String words(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("PodScheduled"))
        .map(condition -> String.valueOf(condition.getMessage()))
        .findFirst()
        .orElse("nothing");
  }

  int compared() {
    return compared;
  }

  int disagreements() {
    return disagreements;
  }

  Map<String, Integer> disagreementsByOutcome() {
    return disagreementsByOutcome;
  }

  Map<String, Integer> counts() {
    return counts;
  }

  Map<String, String> examples() {
    return examples;
  }
}
