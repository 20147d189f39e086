package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Nodes, and workloads that arrive at them, over a length of time from {@link #START}.
 *
 * @param description where it is from, in one line
 * @param nodes by name, each once
 * @param workloads in the order of arrival
 * @param autoscaling which nodes may be added and removed; empty if the nodes stay as they are
 * @param remarks what was assumed or left out while it was read, one line each
 */
public record WorkloadTrace(
    String description,
    Duration length,
    List<TracedNode> nodes,
    List<TracedWorkload> workloads,
    Optional<Autoscaling> autoscaling,
    List<String> remarks) {
  /** A Monday, midnight in UTC. */
  public static final Instant START = Instant.parse("2026-03-02T00:00:00Z");

  /** Offsets from the start are whole seconds in an int; ten years are far below its limit. */
  public static final Duration LONGEST = Duration.ofDays(3_650);

  /** A trace whose nodes stay as they are. */
  public WorkloadTrace(
      String description,
      Duration length,
      List<TracedNode> nodes,
      List<TracedWorkload> workloads,
      List<String> remarks) {
    this(description, length, nodes, workloads, Optional.empty(), remarks);
  }

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

  /**
   * The same with an autoscaler.
   *
   * @throws TraceProblems.InvalidTrace if a pool does not fit the nodes
   */
  public WorkloadTrace autoscaled(Autoscaling value) {
    value.pools().forEach(this::requirePool);
    return new WorkloadTrace(
        description + "; autoscaler: " + value.words(),
        length,
        nodes,
        workloads,
        Optional.of(value),
        remarks);
  }

  private void requirePool(String model, Autoscaling.PoolSize size) {
    List<TracedNode> members = nodesOf(model);
    if (members.stream().map(node -> List.of(node.gpus(), node.compute())).distinct().count()
        != 1) {
      throw new TraceProblems.InvalidTrace(
          "--autoscale needs nodes of the model "
              + model
              + " that all have as many GPUs, as much CPU and memory; "
              + (members.isEmpty() ? "there are none" : "they differ"));
    }
    if (members.size() > size.most()) {
      throw new TraceProblems.InvalidTrace(
          "--autoscale must allow the "
              + members.size()
              + " nodes of the model "
              + model
              + " that there are, was at most "
              + size.most());
    }
  }

  /** The nodes of a model. */
  List<TracedNode> nodesOf(String model) {
    return nodes.stream().filter(node -> node.model().equals(model)).toList();
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
   * What an autoscaler of nodes may do.
   *
   * @param pools by the model of their GPUs
   * @param startup from its decision until a node accepts pods
   * @param idle for how long a node has no pod before it is removed
   */
  public record Autoscaling(Map<String, PoolSize> pools, Duration startup, Duration idle) {
    public Autoscaling {
      pools = Collections.unmodifiableMap(new TreeMap<>(pools));
    }

    /** The pools, for people. */
    String words() {
      return pools.entrySet().stream()
          .map(pool -> pool.getKey() + " " + pool.getValue().least() + "–" + pool.getValue().most())
          .collect(Collectors.joining(", ", "", " nodes"));
    }

    /** How many nodes there are. */
    public record PoolSize(int least, int most) {}
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
