package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.NodeGpus;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodCreated;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodOwner;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodPresence;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodRequest;
import io.gpureclaimer.reclaimer.evidence.ClusterHistoryRecord.PodScheduled;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Builds a trace from recorded nodes and pods, and then from observations, in this order. Confined
 * to one thread at a time.
 */
public final class HistoryTraceBuilder {
  private static final String UNKNOWN_MODEL = "unknown";
  private static final double PERCENT = 100;

  private final TimeRange range;
  private final EvidenceRule rule;
  private final Map<String, Integer> priorities;
  private final Map<String, Integer> nodes = new TreeMap<>();
  private final Map<String, RecordedPod> pods = new HashMap<>();
  private final Set<Instant> recorded = new HashSet<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private long heldSeconds;
  private long unknownSeconds;

  /**
   * @param rule that decides whether an observation is evidence
   * @param priorities of priority classes; 0 for others
   */
  public HistoryTraceBuilder(TimeRange range, EvidenceRule rule, Map<String, Integer> priorities) {
    this.range = range;
    this.rule = rule;
    this.priorities = Map.copyOf(priorities);
  }

  /** Adds what was recorded of the cluster; the same may come again. */
  public void add(ClusterHistoryRecord fact) {
    switch (fact) {
      case NodeGpus(var node, var gpus, var at) -> {
        if (gpus > 0) {
          nodes.merge(node, gpus, Math::max);
        }
        recorded.add(at);
      }
      case PodRequest(var uid, var name, var gpus) -> pod(uid).requested(name, gpus);
      case PodPresence(var uid, var isRunning, var at) -> pod(uid).present(isRunning, at);
      case PodCreated(var uid, var at) -> pod(uid).created(at);
      case PodScheduled(var uid, var at) -> pod(uid).scheduled(at);
      case PodOwner(var uid, var kind, var priorityClass) -> pod(uid).owned(kind, priorityClass);
    }
  }

  private RecordedPod pod(String uid) {
    return pods.computeIfAbsent(uid, _ -> new RecordedPod());
  }

  /** Adds the next look; all of the cluster was added before. */
  public void add(HistoricalObservation observation) {
    Instant at = observation.seen().at();
    List<PodIdentity> identities = new ArrayList<>();
    pods.forEach((uid, pod) -> pod.identityAt(uid, at).ifPresent(identities::add));
    Seen seen = observation.seen().joined(identities);
    for (PodIdentity identity : identities) {
      RecordedPod pod = pod(identity.uid());
      Evidence evidence = rule.weigh(seen, identity.uid(), pod.gpus(), FetchScope.ALL_PODS);
      if (!(evidence instanceof Evidence.Unknown)) {
        seen.pod(identity.uid()).ifPresent(pod::observed);
      }
    }
  }

  /**
   * The trace.
   *
   * @param format of the evidence, for people
   */
  public WorkloadTrace trace(String format) {
    if (nodes.isEmpty()) {
      throw new InvalidTrace(
          "expected kube_node_status_allocatable of nodes with GPUs from "
              + range.from()
              + " to "
              + range.to()
              + ", found none: kube-state-metrics was not scraped then, or the Prometheus keeps"
              + " nothing that is so old");
    }
    Set<String> names = new HashSet<>();
    List<TracedWorkload> workloads = new ArrayList<>();
    pods.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> workload(entry.getValue(), names).ifPresent(workloads::add));
    return new WorkloadTrace(
        "the past of the cluster from " + range.from() + " to " + range.at(range.steps()),
        range.length(),
        nodes.entrySet().stream()
            .map(node -> new TracedNode(node.getKey(), UNKNOWN_MODEL, node.getValue()))
            .toList(),
        workloads,
        remarks(format));
  }

  private Optional<TracedWorkload> workload(RecordedPod pod, Set<String> names) {
    int most = nodes.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (!pod.isComplete()) {
      count("pods left out that kube-state-metrics did not show at any look");
      return Optional.empty();
    }
    if (pod.gpus() < 1 || pod.gpus() > most) {
      count("pods left out that request no whole GPU or more than the largest node has");
      return Optional.empty();
    }
    if (pod.isNeverBound()) {
      count(
          "pods that were pending to the end run to the end once they get GPUs, with unknown"
              + " activity");
    }
    TracedWorkload workload = pod.workload(range, priorities, names);
    if (!pod.isNeverBound()) {
      heldSeconds += (long) workload.lifetime() * workload.gpus();
      unknownSeconds += workload.unknown().seconds(0, workload.lifetime()) * workload.gpus();
    }
    return Optional.of(workload);
  }

  private List<String> remarks(String format) {
    List<String> lines = new ArrayList<>();
    lines.add("prometheus: evidence format " + format);
    if (heldSeconds > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "prometheus: the activity of %.1f %% of the GPU time of running pods "
                  + "is unknown; nothing"
                  + " is assumed of it",
              PERCENT * unknownSeconds / heldSeconds));
    }
    long silent = range.steps() - recorded.size();
    if (silent > 0) {
      lines.add(
          "prometheus: kube-state-metrics was silent at "
              + silent
              + " of "
              + range.steps()
              + " looks; pods that ended then end before");
    }
    counts.forEach((what, count) -> lines.add("prometheus: " + count + " " + what));
    Set<String> classes = new TreeSet<>();
    pods.values().forEach(pod -> pod.priorityClass().ifPresent(classes::add));
    classes.removeAll(priorities.keySet());
    if (!classes.isEmpty()) {
      lines.add(
          "prometheus: priority classes without a value by --priorities, taken as 0: "
              + String.join(", ", classes));
    }
    lines.add(
        "prometheus: not recorded, and left out: node selectors and affinities, MIG devices and"
            + " claims, utilization (an active second counts as 100 %)");
    return lines;
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }
}
