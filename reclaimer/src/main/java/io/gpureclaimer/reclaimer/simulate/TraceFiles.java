package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Traces that are read from files: a list of nodes, and either the pods of the openb traces, jobs
 * of a Slurm cluster, or workloads in the form of this project. Activity that the files do not have
 * is drawn for each seed.
 */
public final class TraceFiles {
  private static final int CHECKPOINT = 30 * ActivityGenerator.MINUTE;
  private static final int WHOLE_GPU = 1_000;
  private static final int MOST_PODS = 10_000;
  private static final String MODELS = "models";
  private static final String CPU = "cpu_milli";
  private static final String MEMORY = "memory_mib";

  private final List<TracedNode> nodes;
  private final List<WorkloadDraft> drafts;
  private final Optional<DutyCycles> duties;
  private final Duration length;
  private final int secondOfWeek;
  private final String description;
  private final List<String> remarks;

  /**
   * A workload of a file.
   *
   * @param activity as the file has it; empty if it is to be drawn
   */
  record WorkloadDraft(
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
      Optional<ActivityPeriods> activity,
      ComputeResources requests) {}

  private TraceFiles(
      List<TracedNode> nodes,
      List<WorkloadDraft> drafts,
      Optional<DutyCycles> duties,
      Duration length,
      int secondOfWeek,
      String description,
      List<String> remarks) {
    this.nodes = nodes;
    this.drafts = drafts;
    this.duties = duties;
    this.length = length;
    this.secondOfWeek = secondOfWeek;
    this.description = description;
    this.remarks = remarks;
  }

  /**
   * Reads pods of the openb traces.
   *
   * @param from where the simulation begins, from the beginning of the trace; empty for the last
   *     {@code length} before the last pod was created
   * @param problems collects the rows that cannot be used
   */
  public static TraceFiles openb(
      Path nodeList,
      Path podList,
      Optional<Path> dutyCycles,
      Optional<Duration> from,
      Duration length,
      TraceProblems problems) {
    List<TracedNode> nodes = nodes(nodeList, problems);
    var pods = new OpenbPods(nodes);
    List<OpenbPods.OpenbPod> rows = pods.read(podList, problems);
    int last = rows.stream().mapToInt(OpenbPods.OpenbPod::created).max().orElse(0);
    int start =
        from.map(time -> Math.toIntExact(time.toSeconds()))
            .orElse(Math.toIntExact(Math.max(0, last - length.toSeconds())));
    List<WorkloadDraft> drafts =
        rows.stream()
            .filter(pod -> pod.ends() > start && pod.created() < start + length.toSeconds())
            .map(pod -> draft(pod, start))
            .toList();
    var remarks = new ArrayList<String>(pods.remarks());
    remarks.add(
        "openb: "
            + (rows.size() - drafts.size())
            + " pods lie outside of "
            + length.toHours()
            + " h from second "
            + start
            + " of the trace on");
    return new TraceFiles(
        nodes,
        drafts,
        dutyCycles.map(file -> DutyCycles.read(file, problems, remarks)),
        length,
        0,
        "openb pods of " + podList.getFileName(),
        remarks);
  }

  private static WorkloadDraft draft(OpenbPods.OpenbPod pod, int start) {
    return new WorkloadDraft(
        pod.qos().toLowerCase(Locale.ROOT),
        pod.name(),
        pod.kind(),
        Math.max(0, pod.created() - start),
        Math.max(1, pod.ends() - Math.max(pod.started(), start)),
        List.of(pod.gpus()),
        pod.gpus(),
        pod.models(),
        0,
        CHECKPOINT,
        Optional.empty(),
        pod.requests());
  }

  /**
   * Reads workloads in the form of this project.
   *
   * @param problems collects the rows that cannot be used
   */
  public static TraceFiles workloads(
      Path nodeList,
      Path workloadList,
      Optional<Path> dutyCycles,
      Duration length,
      TraceProblems problems) {
    List<TracedNode> nodes = nodes(nodeList, problems);
    Set<String> names = new HashSet<>();
    List<WorkloadDraft> drafts =
        new CsvFile(workloadList, problems)
            .read(
                List.of("namespace", "name", "kind", "arrival", "duration", "gpus"),
                row -> Optional.of(draft(row, nodes, names)));
    var remarks = new ArrayList<String>();
    return new TraceFiles(
        nodes,
        drafts,
        dutyCycles.map(file -> DutyCycles.read(file, problems, remarks)),
        length,
        0,
        "workloads of " + workloadList.getFileName(),
        remarks);
  }

  /**
   * Reads jobs of a Slurm cluster.
   *
   * @param jobList output of {@code sacct --parsable2}
   * @param from where the simulation begins, in the times of the list; empty for the last {@code
   *     length} before the last time in it
   * @param problems collects the rows that cannot be used
   */
  public static TraceFiles slurm(
      Path nodeList,
      Path jobList,
      SlurmOptions options,
      Optional<Path> dutyCycles,
      Optional<Instant> from,
      Duration length,
      TraceProblems problems) {
    List<TracedNode> nodes = nodes(nodeList, problems);
    var jobs = new SlurmJobs(nodes, options);
    jobs.read(jobList, problems);
    Instant start = from.orElseGet(() -> jobs.lastEvent().minus(length));
    if (problems.count() == 0 && start.isAfter(jobs.lastEvent())) {
      throw new TraceProblems.InvalidTrace(
          "--from must not be after the last time of the list, "
              + jobs.lastEvent()
              + ", was "
              + start);
    }
    List<WorkloadDraft> drafts = jobs.drafts(start, length);
    var remarks = new ArrayList<String>(jobs.remarks());
    boolean isDrawn = drafts.stream().anyMatch(draft -> draft.activity().isEmpty());
    if (isDrawn && dutyCycles.isEmpty()) {
      remarks.add(
          "sacct: Slurm does not record what a job does on its GPUs; activity that no file has is"
              + " drawn from the distributions of the generated scenario");
    }
    return new TraceFiles(
        nodes,
        drafts,
        dutyCycles.map(file -> DutyCycles.read(file, problems, remarks)),
        length,
        secondOfWeek(start),
        "Slurm jobs of " + jobList.getFileName() + " from " + start + " on",
        remarks);
  }

  /** Seconds since Monday, midnight. */
  private static int secondOfWeek(Instant at) {
    return Math.toIntExact(
        Math.floorMod(
            Duration.between(WorkloadTrace.START, at).toSeconds(), 7L * ActivityGenerator.DAY));
  }

  private static WorkloadDraft draft(CsvRow row, List<TracedNode> nodes, Set<String> names) {
    String name = row.required("name");
    String namespace = row.required("namespace");
    if (!names.add(namespace + "/" + name)) {
      throw CsvRow.invalid("name", "expected each name once, found again: " + name);
    }
    int lifetime = row.seconds("duration");
    if (lifetime == 0) {
      throw CsvRow.invalid("duration", "expected at least 1 second, found 0");
    }
    int gpus = gpus(row, "gpus", nodes);
    WorkloadKind kind = kind(row);
    int pods = pods(row, kind);
    int all = pods * gpus;
    int used = row.numberIfAny("used_gpus").orElse(all);
    if (used > all) {
      throw CsvRow.invalid("used_gpus", "expected at most " + all + ", found " + used);
    }
    return new WorkloadDraft(
        namespace,
        name,
        kind,
        row.seconds("arrival"),
        lifetime,
        Collections.nCopies(pods, gpus),
        used,
        models(row, MODELS, nodes),
        row.numberIfAny("priority").orElse(0),
        row.secondsIfAny("checkpoint_every").filter(every -> every > 0).orElse(CHECKPOINT),
        row.hasColumn("activity")
            ? Optional.of(activity(row.text("activity").orElse(""), lifetime))
            : Optional.empty(),
        ComputeResources.ofMib(row.numberIfAny(CPU).orElse(0), row.numberIfAny(MEMORY).orElse(0)));
  }

  private static WorkloadKind kind(CsvRow row) {
    String code = row.required("kind");
    return WorkloadKind.of(code)
        .orElseThrow(
            () -> CsvRow.invalid("kind", "expected notebook, service or training, found " + code));
  }

  private static int pods(CsvRow row, WorkloadKind kind) {
    int pods = row.numberIfAny("pods").orElse(1);
    int most = kind == WorkloadKind.SERVICE ? 1 : MOST_PODS;
    if (pods < 1 || pods > most) {
      throw CsvRow.invalid(
          "pods",
          kind == WorkloadKind.SERVICE
              ? "expected 1, because replicas of a service start one by one, found " + pods
              : "expected 1 to " + most + ", found " + pods);
    }
    return pods;
  }

  private static int gpus(CsvRow row, String column, List<TracedNode> nodes) {
    return fitting(row.number(column), column, nodes);
  }

  /** The same number of GPUs, which one node must have. */
  static int fitting(int gpus, String column, List<TracedNode> nodes) {
    int most = nodes.stream().mapToInt(TracedNode::gpus).max().orElse(0);
    if (gpus < 1 || gpus > most) {
      throw CsvRow.invalid(
          column, "expected 1 to " + most + ", which the largest node has, found " + gpus);
    }
    return gpus;
  }

  /** Models separated by {@code |}, each of which a node must have. */
  private static Set<String> models(CsvRow row, String column, List<TracedNode> nodes) {
    Set<String> known = nodes.stream().map(TracedNode::model).collect(Collectors.toSet());
    Set<String> models = row.text(column).map(text -> Set.of(text.split("\\|"))).orElse(Set.of());
    for (String model : models) {
      if (!known.contains(model)) {
        throw CsvRow.invalid(column, "expected models of nodes, found " + model);
      }
    }
    return models;
  }

  /** Periods like {@code 10m-1h@0.8}, separated by spaces; without a level it is 1. */
  static ActivityPeriods activity(String text, int lifetime) {
    var periods = new ActivityPeriods.PeriodsBuilder();
    for (String period : text.isEmpty() ? new String[0] : text.split(" +")) {
      String[] parts = period.split("[-@]", -1);
      if (parts.length < 2 || parts.length > 3 || (parts.length == 3) != period.contains("@")) {
        throw CsvRow.invalid("activity", "expected a period like 10m-1h@0.8, found " + period);
      }
      int from = CsvRow.seconds("activity", parts[0]);
      int to = CsvRow.seconds("activity", parts[1]);
      if (from < periods.lastEnd() || to <= from || to > lifetime) {
        throw CsvRow.invalid(
            "activity",
            "expected periods in order, each within the duration and after the one before, found "
                + period);
      }
      periods.add(from, to, parts.length == 3 ? level(parts[2]) : 1);
    }
    return periods.build();
  }

  private static double level(String text) {
    if (!text.matches("0\\.\\d{1,9}|1(\\.0{1,9})?") || Double.parseDouble(text) == 0) {
      throw CsvRow.invalid("activity", "expected a level above 0 to 1, found " + text);
    }
    return Double.parseDouble(text);
  }

  private static List<TracedNode> nodes(Path file, TraceProblems problems) {
    Set<String> names = new HashSet<>();
    List<TracedNode> nodes =
        new CsvFile(file, problems)
            .read(
                List.of("sn", "gpu", "model"),
                row -> {
                  String name = row.required("sn");
                  if (!names.add(name)) {
                    throw CsvRow.invalid("sn", "expected each name once, found again: " + name);
                  }
                  int gpus = row.number("gpu");
                  return gpus == 0
                      ? Optional.empty()
                      : Optional.of(
                          new TracedNode(name, row.required("model"), gpus, compute(row)));
                });
    if (nodes.isEmpty()) {
      throw new TraceProblems.InvalidTrace(file.getFileName() + " has no node with GPUs");
    }
    return nodes;
  }

  private static Optional<ComputeResources> compute(CsvRow row) {
    return row.hasColumn(CPU) && row.hasColumn(MEMORY)
        ? Optional.of(ComputeResources.ofMib(row.number(CPU), row.number(MEMORY)))
        : Optional.empty();
  }

  /** The trace without any activity. */
  public WorkloadTrace withoutActivity() {
    return trace(_ -> ActivityPeriods.NONE);
  }

  /** The trace with the activity of a seed. */
  public WorkloadTrace trace(long seed) {
    var generator = new ActivityGenerator(new Random(seed));
    return trace(draft -> draft.activity().orElseGet(() -> drawn(draft, generator)));
  }

  private WorkloadTrace trace(Function<WorkloadDraft, ActivityPeriods> activity) {
    return new WorkloadTrace(
        description,
        length,
        nodes,
        drafts.stream()
            .filter(draft -> draft.arrival() < length.toSeconds())
            .map(draft -> traced(draft, activity.apply(draft)))
            .toList(),
        remarks);
  }

  private static TracedWorkload traced(WorkloadDraft draft, ActivityPeriods activity) {
    return new TracedWorkload(
        draft.namespace(),
        draft.name(),
        draft.kind(),
        draft.arrival(),
        draft.lifetime(),
        draft.podGpus(),
        draft.usedGpus(),
        draft.models(),
        draft.priority(),
        draft.checkpointEvery(),
        activity,
        ActivityPeriods.NONE,
        draft.requests());
  }

  /** What lies behind the end of the simulation is not drawn. */
  private ActivityPeriods drawn(WorkloadDraft draft, ActivityGenerator generator) {
    int lasts = (int) Math.min(draft.lifetime(), length.toSeconds());
    if (duties.isPresent()) {
      return duties.get().draw(lasts, generator);
    }
    return switch (draft.kind()) {
      case NOTEBOOK -> generator.notebook(secondOfWeek + draft.arrival(), lasts);
      case SERVICE -> generator.service(secondOfWeek + draft.arrival(), lasts);
      case TRAINING -> generator.training(lasts);
    };
  }

  /** Pods of the openb lists. */
  private static final class OpenbPods {
    private static final List<String> COLUMNS =
        List.of(
            "name",
            "num_gpu",
            "gpu_milli",
            "gpu_spec",
            "qos",
            "creation_time",
            "deletion_time",
            CPU,
            MEMORY);

    private final List<TracedNode> nodes;
    private final Set<String> names = new HashSet<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private int lastCreated;

    /**
     * One pod.
     *
     * @param started when it got a node; when it was created, if it never did
     */
    record OpenbPod(
        String name,
        String qos,
        int created,
        int started,
        int ends,
        int gpus,
        Set<String> models,
        ComputeResources requests) {
      /** What its class of service says about it. */
      WorkloadKind kind() {
        return switch (qos) {
          case "LS" -> WorkloadKind.SERVICE;
          case "BE" -> WorkloadKind.TRAINING;
          default -> WorkloadKind.NOTEBOOK;
        };
      }
    }

    OpenbPods(List<TracedNode> nodes) {
      this.nodes = nodes;
    }

    List<OpenbPod> read(Path file, TraceProblems problems) {
      return new CsvFile(file, problems).read(COLUMNS, this::pod);
    }

    private Optional<OpenbPod> pod(CsvRow row) {
      String name = row.required("name");
      if (!names.add(name)) {
        throw CsvRow.invalid("name", "expected each name once, found again: " + name);
      }
      if (row.number("num_gpu") == 0) {
        count("pods without a GPU left out");
        return Optional.empty();
      }
      int created = row.number("creation_time");
      int deleted = row.number("deletion_time");
      if (created < lastCreated) {
        count("pods that were created before the one above them, sorted by time");
      }
      lastCreated = created;
      Optional<Integer> scheduled = row.numberIfAny("scheduled_time");
      int started = scheduled.orElse(created);
      if (started < created) {
        throw CsvRow.invalid(
            "scheduled_time",
            "expected a time from creation_time " + created + " on, found " + started);
      }
      if (deleted < started) {
        throw CsvRow.invalid(
            "deletion_time",
            "expected a time from "
                + (scheduled.isPresent() ? "scheduled_time " : "creation_time ")
                + started
                + " on, found "
                + deleted);
      }
      if (scheduled.isEmpty()) {
        count("pods that never got a node take as long as they were pending");
      }
      if (row.number("gpu_milli") < WHOLE_GPU) {
        count("pods request a part of a GPU and get a whole one");
      }
      return Optional.of(
          new OpenbPod(
              name,
              row.text("qos").orElse("none"),
              created,
              started,
              deleted,
              gpus(row, "num_gpu", nodes),
              models(row, "gpu_spec", nodes),
              ComputeResources.ofMib(row.number(CPU), row.number(MEMORY))));
    }

    private void count(String what) {
      counts.merge(what, 1, Integer::sum);
    }

    List<String> remarks() {
      return counts.entrySet().stream()
          .map(each -> "openb: " + each.getValue() + " " + each.getKey())
          .toList();
    }
  }
}
