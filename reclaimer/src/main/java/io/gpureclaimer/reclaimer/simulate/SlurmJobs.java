package io.gpureclaimer.reclaimer.simulate;

import static io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow.invalid;

import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow;
import io.gpureclaimer.reclaimer.simulate.TraceFiles.WorkloadDraft;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * GPU jobs of a Slurm cluster, as {@code sacct --parsable2} lists them. A job on several nodes is
 * one workload with a pod for each node. Confined to one thread.
 */
final class SlurmJobs {
  private static final int CHECKPOINT = 30 * ActivityGenerator.MINUTE;
  private static final Duration LONGEST_SILENCE = Duration.ofDays(1);
  private static final Pattern STEP = Pattern.compile("[^\\[]*\\..*");
  private static final String JOB = "job";
  private static final String ACTIVITY = "activity";

  private final List<TracedNode> nodes;
  private final SlurmOptions options;
  private final List<SlurmJob> jobs = new ArrayList<>();
  private final Map<String, List<SlurmJob>> runs = new HashMap<>();
  private final Map<String, String> tasks = new HashMap<>();
  private final Map<String, ActivityPeriods> activities = new HashMap<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private Instant lastEvent = Instant.EPOCH;

  SlurmJobs(List<TracedNode> nodes, SlurmOptions options) {
    this.nodes = nodes;
    this.options = options;
  }

  void read(Path file, TraceProblems problems) {
    jobs.addAll(new CsvFile(file, "|", problems).read(SlurmJob.COLUMNS, this::job));
    if (jobs.isEmpty() && problems.count() == 0) {
      throw new InvalidTrace(file.getFileName() + " has no job that ran or is pending with GPUs");
    }
    options.activity().ifPresent(path -> readActivities(path, problems));
  }

  private Optional<SlurmJob> job(CsvRow row) {
    if (STEP.matcher(row.required("JobID")).matches()) {
      count("steps of jobs left out");
      return Optional.empty();
    }
    SlurmJob job = SlurmJob.of(row, nodes);
    SlurmJobTimes times = job.times();
    if (job.gpus().isEmpty()) {
      count("jobs without GPUs left out");
      return Optional.empty();
    }
    if (times.isNeverRun()) {
      count("jobs that ended before they ran left out");
      return Optional.empty();
    }
    if (times.isPending() && times.limit().isEmpty()) {
      count(
          "pending jobs left out, because they have no time limit and nothing else says how long they take");
      return Optional.empty();
    }
    job.tasks().forEach(task -> requireSingle(task, job.id()));
    addRun(job);
    times.events().filter(lastEvent::isBefore).forEach(at -> lastEvent = at);
    return Optional.of(job);
  }

  private void requireSingle(String task, String id) {
    String before = tasks.putIfAbsent(task, id);
    if (before != null && !before.equals(id)) {
      throw invalid("JobID", "expected each task once, found one that " + before + " has in " + id);
    }
  }

  /** A job that was queued again has a row for each run. */
  private void addRun(SlurmJob job) {
    List<SlurmJob> others = runs.computeIfAbsent(job.id(), _ -> new ArrayList<>());
    for (SlurmJob other : others) {
      if (other.times().overlaps(job.times())) {
        throw invalid(
            "Start",
            "expected runs of a job that do not overlap, found one that does in line "
                + other.line());
      }
    }
    others.add(job);
  }

  private void readActivities(Path file, TraceProblems problems) {
    var _ =
        new CsvFile(file, problems)
            .read(
                List.of(JOB, ACTIVITY),
                row -> {
                  String id = row.required(JOB);
                  List<SlurmJob> found = runs.getOrDefault(id, List.of());
                  if (found.size() != 1) {
                    throw invalid(JOB, "expected a job of the list that ran once, found " + id);
                  }
                  Duration longest = found.getFirst().times().duration(lastEvent);
                  if (activities.put(
                          id,
                          TraceFiles.activity(
                              row.text(ACTIVITY).orElse(""), Math.toIntExact(longest.toSeconds())))
                      != null) {
                    throw invalid(JOB, "expected each job once, found again: " + id);
                  }
                  return Optional.of(id);
                });
  }

  /** The last thing that is known to have happened. */
  Instant lastEvent() {
    return lastEvent;
  }

  /** Workloads of the jobs that were submitted before the end and did not end before the start. */
  List<WorkloadDraft> drafts(Instant start, Duration length) {
    Instant end = start.plus(length);
    List<SlurmJob> within =
        jobs.stream()
            .filter(job -> job.times().submit().isBefore(end))
            .filter(job -> job.times().end().filter(at -> !at.isAfter(start)).isEmpty())
            .toList();
    if (within.size() < jobs.size()) {
      counts.put("jobs lie outside of the simulated time", jobs.size() - within.size());
    }
    within.forEach(this::countAssumptions);
    countSilences(within, start, end);
    return within.stream().flatMap(job -> drafts(job, start, end)).toList();
  }

  private void countAssumptions(SlurmJob job) {
    SlurmJobTimes times = job.times();
    if (times.isRunning()) {
      count("jobs still ran: they take as long as their time limit, or to the end without one");
    }
    if (times.isBeyondLimit()) {
      count("jobs ran for longer than their time limit: sacctmgr show runawayjobs lists lost ones");
    }
    if (times.isPending()) {
      count("rows of jobs that were pending: they take as long as their time limit");
    }
    if (times.wasSuspended()) {
      count("jobs did not run all the time from Start to End: they take as long as Elapsed");
    }
    if (job.gpus().size() > 1) {
      count("jobs on several nodes, which start together");
    }
    if (activities.containsKey(job.id())) {
      count("jobs have the activity of the file");
    }
  }

  /** A day without any event may be a day that the list lacks. */
  private void countSilences(List<SlurmJob> within, Instant start, Instant end) {
    List<Instant> events =
        Stream.concat(
                within.stream().flatMap(job -> job.times().events()),
                Stream.of(start, end.isBefore(lastEvent) ? end : lastEvent))
            .filter(at -> !at.isBefore(start) && !at.isAfter(end))
            .sorted(Comparator.naturalOrder())
            .toList();
    for (int i = 1; i < events.size(); i++) {
      if (Duration.between(events.get(i - 1), events.get(i)).compareTo(LONGEST_SILENCE) > 0) {
        count("gaps of more than 1d in which no job was submitted, began or ended");
      }
    }
  }

  private Stream<WorkloadDraft> drafts(SlurmJob job, Instant start, Instant end) {
    SlurmJobTimes times = job.times();
    int whole = seconds(times.duration(end));
    int before = times.start().map(at -> seconds(Duration.between(at, start))).orElse(0);
    int lifetime = Math.max(1, whole - before);
    Optional<ActivityPeriods> activity =
        Optional.ofNullable(activities.get(job.id()))
            .map(periods -> periods.within(before, before + lifetime));
    int arrival = seconds(Duration.between(start, times.submit()));
    return names(job).map(name -> draft(job, name, arrival, lifetime, activity));
  }

  private Stream<String> names(SlurmJob job) {
    int run = runs.getOrDefault(job.id(), List.of()).indexOf(job);
    return job.tasks().stream().map(name -> run == 0 ? name : name + "-run-" + (run + 1));
  }

  private WorkloadDraft draft(
      SlurmJob job, String name, int arrival, int lifetime, Optional<ActivityPeriods> activity) {
    return new WorkloadDraft(
        job.account(),
        name,
        options.notebookPartitions().contains(job.partition())
            ? WorkloadKind.NOTEBOOK
            : WorkloadKind.TRAINING,
        arrival,
        lifetime,
        job.gpus(),
        job.gpus().stream().mapToInt(Integer::intValue).sum(),
        job.models(),
        options.priorities().getOrDefault(job.partition(), 0),
        CHECKPOINT,
        activity,
        ComputeResources.NONE);
  }

  /** A time that has passed is now. */
  private static int seconds(Duration duration) {
    return Math.toIntExact(Math.max(0, duration.toSeconds()));
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** What was assumed or left out, one line each. */
  List<String> remarks() {
    List<String> lines = new ArrayList<>();
    counts.forEach((what, count) -> lines.add("sacct: " + count + " " + what));
    lines.add(
        "sacct: jobs of "
            + (options.notebookPartitions().isEmpty()
                ? "all partitions are trainings"
                : "the partitions "
                    + String.join(", ", options.notebookPartitions().stream().sorted().toList())
                    + " are notebooks, others trainings"));
    if (options.priorities().isEmpty()) {
      lines.add("sacct: the priorities of Slurm are left out, so that all pods have priority 0");
    }
    return lines;
  }
}
