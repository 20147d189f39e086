package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes, and workloads that arrive at them, over a length of time from {@link #START}.
 *
 * @param description where it is from, in one line
 * @param nodes by name, each once
 * @param workloads in the order of arrival
 * @param remarks what was assumed or left out while it was read, one line each
 */
public record WorkloadTrace(
    String description,
    Duration length,
    List<TracedNode> nodes,
    List<TracedWorkload> workloads,
    List<String> remarks) {
  /** A Monday, midnight in UTC. */
  public static final Instant START = Instant.parse("2026-03-02T00:00:00Z");

  /** Offsets from the start are whole seconds in an int; ten years are far below its limit. */
  public static final Duration LONGEST = Duration.ofDays(3_650);

  public WorkloadTrace {
    nodes = nodes.stream().sorted(Comparator.comparing(TracedNode::name)).toList();
    workloads =
        workloads.stream().sorted(Comparator.comparingInt(TracedWorkload::arrival)).toList();
    remarks = List.copyOf(remarks);
    if (!length.isPositive() || length.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the length of a trace must be positive and at most 10 years, was " + length);
    }
    requireUnique(nodes, workloads);
  }

  private static void requireUnique(List<TracedNode> nodes, List<TracedWorkload> workloads) {
    Set<String> names = new HashSet<>();
    nodes.forEach(node -> require(names.add(node.name()), "node " + node.name()));
    names.clear();
    workloads.forEach(
        each ->
            require(
                names.add(each.namespace() + "/" + each.name()),
                "workload " + each.namespace() + "/" + each.name()));
  }

  private static void require(boolean first, String object) {
    if (!first) {
      throw new IllegalArgumentException("expected each name once, found again: " + object);
    }
  }

  /** Whether some of its workloads are more important than others. */
  boolean hasPriorities() {
    return workloads.stream().mapToInt(TracedWorkload::priority).distinct().limit(2).count() > 1;
  }

  /** How many GPUs the nodes have. */
  public int gpus() {
    return nodes.stream().mapToInt(TracedNode::gpus).sum();
  }

  /**
   * A node of a trace.
   *
   * @param gpus how many it has, all of one model
   * @param compute CPU and memory that it can allocate; empty if the trace does not have them
   */
  public record TracedNode(
      String name, String model, int gpus, Optional<ComputeResources> compute) {

    /** A node of whose CPU and memory nothing is known. */
    public TracedNode(String name, String model, int gpus) {
      this(name, model, gpus, Optional.empty());
    }

    public TracedNode {
      if (gpus < 1) {
        throw new IllegalArgumentException("a node has at least one GPU, was " + gpus);
      }
    }
  }

  /**
   * A workload. If it has several pods, they start together, and it runs only while all of them do.
   *
   * @param arrival when it is submitted, in seconds from the start of the trace
   * @param lifetime seconds after which it ends by itself: of its running time for a training, and
   *     otherwise from its arrival on
   * @param podGpus how many each of its pods requests
   * @param usedGpus how many of them it ever uses, the first ones
   * @param models on which it may run; empty for all
   * @param checkpointEvery seconds of its running time between two checkpoints of a training
   * @param activity in seconds of its running time for a training, and otherwise from its arrival
   *     on; it ends within the lifetime
   * @param unknown when nothing is known of its activity, in the same seconds
   * @param requests CPU and memory that each pod requests
   */
  public record TracedWorkload(
      String namespace,
      String name,
      WorkloadKind kind,
      int arrival,
      int lifetime,
      List<Integer> podGpus,
      int usedGpus,
      Set<String> models,
      int priority,
      int checkpointEvery,
      ActivityPeriods activity,
      ActivityPeriods unknown,
      ComputeResources requests) {

    /** A workload of one pod of which everything is known, and that requests only GPUs. */
    public TracedWorkload(
        String namespace,
        String name,
        WorkloadKind kind,
        int arrival,
        int lifetime,
        int gpus,
        int usedGpus,
        Set<String> models,
        int priority,
        int checkpointEvery,
        ActivityPeriods activity) {
      this(
          namespace,
          name,
          kind,
          arrival,
          lifetime,
          List.of(gpus),
          usedGpus,
          models,
          priority,
          checkpointEvery,
          activity,
          ActivityPeriods.NONE,
          ComputeResources.NONE);
    }

    public TracedWorkload {
      models = Set.copyOf(models);
      podGpus = List.copyOf(podGpus);
      int gpus = podGpus.stream().mapToInt(Integer::intValue).sum();
      if (arrival < 0 || lifetime < 1 || checkpointEvery < 1) {
        throw new IllegalArgumentException(
            "times of "
                + name
                + " must be positive, was "
                + arrival
                + ", "
                + lifetime
                + " and "
                + checkpointEvery);
      }
      if (podGpus.isEmpty()
          || podGpus.stream().anyMatch(each -> each < 1)
          || usedGpus < 0
          || usedGpus > gpus) {
        throw new IllegalArgumentException(
            name
                + " must request GPUs in each pod and use at most those, was "
                + usedGpus
                + " of "
                + podGpus);
      }
      if (kind == WorkloadKind.SERVICE && podGpus.size() > 1) {
        throw new IllegalArgumentException(
            name + " must have one pod, because replicas of a service start one by one");
      }
      if (activity.lastEnd() > lifetime) {
        throw new IllegalArgumentException(
            name + " must not be active after its lifetime, was " + activity);
      }
    }

    /** How many GPUs its pods request together. */
    public int gpus() {
      return podGpus.stream().mapToInt(Integer::intValue).sum();
    }

    /** Whether it has several pods, which start together. */
    public boolean isGroup() {
      return podGpus.size() > 1;
    }

    /** How many of the GPUs of one pod it ever uses. */
    int usedGpus(int pod) {
      int before = podGpus.subList(0, pod).stream().mapToInt(Integer::intValue).sum();
      return Math.clamp(usedGpus - before, 0, podGpus.get(pod));
    }
  }
}
