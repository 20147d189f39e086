package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cli.FlagConverters.HistoryTime;
import io.gpureclaimer.reclaimer.cli.FlagConverters.TraceTime;
import io.gpureclaimer.reclaimer.cli.PrometheusTraceReader.HistoryUnavailable;
import io.gpureclaimer.reclaimer.simulate.SeedScenario;
import io.gpureclaimer.reclaimer.simulate.SlurmOptions;
import io.gpureclaimer.reclaimer.simulate.TraceFiles;
import io.gpureclaimer.reclaimer.simulate.TraceProblems;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.micronaut.context.ApplicationContext;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Flags that say which trace is simulated. */
final class TraceInput {
  private static final int MOST_NODES = 100_000;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Generate a scenario with this many nodes of 8 GPUs; default 64.")
  int nodes = 64;

  @Option(
      names = "--node-list",
      paramLabel = "FILE",
      description =
          "Nodes instead of generated ones: CSV with the columns sn, gpu and model, "
              + "as in the openb traces. All files may be compressed (.gz).")
  Optional<Path> nodeList = Optional.empty();

  @Option(
      names = "--pod-list",
      paramLabel = "FILE",
      description = "Pods of the openb traces; needs --node-list.")
  Optional<Path> podList = Optional.empty();

  @Option(
      names = "--workloads",
      paramLabel = "FILE",
      description =
          "Workloads: CSV with the columns namespace, name, kind, arrival, duration and gpus, and"
              + " maybe pods, used_gpus, models, priority, checkpoint_every and"
              + " activity; needs"
              + " --node-list.")
  Optional<Path> workloads = Optional.empty();

  @Option(
      names = "--sacct",
      paramLabel = "FILE",
      description =
          "Jobs of a Slurm cluster: output of sacct -a -X --parsable2 --format=JobID,User,Account,"
              + "Partition,State,Submit,Start,End,Elapsed,Timelimit,AllocTRES,ReqTRES,AllocNodes;"
              + " needs --node-list.")
  Optional<Path> sacct = Optional.empty();

  @Option(
      names = "--job-activity",
      paramLabel = "FILE",
      description =
          "Activity of jobs of --sacct: CSV with the columns job and activity, such as 0-10m@0.8"
              + " 1h-3h from the start of the job; Slurm does not record it. Default drawn.")
  Optional<Path> jobActivity = Optional.empty();

  @Option(
      names = "--notebook-partitions",
      paramLabel = "NAME",
      split = ",",
      description =
          "Interactive partitions of --sacct, separated by commas; jobs of other "
              + "partitions are trainings. Default none.")
  List<String> notebookPartitions = List.of();

  @Option(
      names = "--priorities",
      paramLabel = "NAME=N",
      split = ",",
      description =
          "Priority of the pods of a partition of --sacct, or of a priority class of --prometheus;"
              + " default 0. Priorities of Slurm change with time and are not used.")
  Map<String, Integer> priorities = Map.of();

  @Option(
      names = "--prometheus",
      paramLabel = "URL",
      converter = FlagConverters.OfUrl.class,
      description =
          "Past of a cluster, from this Prometheus: pods of kube-state-metrics, and "
              + "the activity of their GPUs. Flags such as --prometheus-bearer-token-file "
              + "apply; --prometheus-url is not used.")
  Optional<URI> prometheus = Optional.empty();

  @Option(
      names = "--duty-cycles",
      paramLabel = "FILE",
      description =
          "Measured activity for workloads without one: gpu_duty_cycle.csv of GenTD26, with the"
              + " columns timestamp_seconds, pod and value in percent; default drawn from"
              + " distributions.")
  Optional<Path> dutyCycles = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = FlagConverters.OfTraceTime.class,
      description =
          "Begin of the simulation. With --pod-list: a duration after its begin. With --sacct: a"
              + " time such as 2026-03-01T18:00:00. With --prometheus: a time, or a duration ago."
              + " Default: --length before the end.")
  Optional<TraceTime> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = FlagConverters.OfHistoryTime.class,
      description = "End of the period of --prometheus: a duration ago, or a time; default now.")
  Optional<HistoryTime> to = Optional.empty();

  @Option(
      names = "--skip-invalid",
      description = "Skip invalid rows of the files, and report them; default: refuse the files.")
  boolean skipInvalid;

  @Option(
      names = "--length",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description = "Simulated time; default 7d.")
  Duration length = Duration.ofDays(7);

  /** What is wrong with the flags; empty if nothing is. */
  Optional<String> mistake() {
    if (nodes < 1 || nodes > MOST_NODES) {
      return Optional.of("--nodes must be from 1 to " + MOST_NODES + ", was " + nodes);
    }
    if (!length.isPositive() || length.compareTo(WorkloadTrace.LONGEST) > 0) {
      return Optional.of("--length must be from 1s to 3650d, was " + Durations.format(length));
    }
    long lists = Stream.of(podList, workloads, sacct).flatMap(Optional::stream).count();
    if (nodeList.isEmpty() && lists > 0) {
      return Optional.of("--pod-list, --workloads and --sacct need --node-list, which is missing");
    }
    if (nodeList.isPresent() && lists != 1) {
      return Optional.of(
          "--node-list needs one of --pod-list, --workloads and --sacct, was "
              + (lists == 0 ? "none" : lists + " of them"));
    }
    if (prometheus.isPresent() && nodeList.isPresent()) {
      return Optional.of("--prometheus and --node-list exclude each other, was both");
    }
    if (sacct.isEmpty() && (jobActivity.isPresent() || !notebookPartitions.isEmpty())) {
      return Optional.of("--job-activity and --notebook-partitions need --sacct, which is missing");
    }
    if (sacct.isEmpty() && prometheus.isEmpty() && !priorities.isEmpty()) {
      return Optional.of("--priorities needs --sacct or --prometheus, which is missing");
    }
    if (prometheus.isEmpty() && to.isPresent()) {
      return Optional.of("--to needs --prometheus, which is missing");
    }
    return fromMistake();
  }

  private Optional<String> fromMistake() {
    if (from.isEmpty() || prometheus.isPresent()) {
      return Optional.empty();
    }
    if (podList.isEmpty() && sacct.isEmpty()) {
      return Optional.of("--from needs --pod-list, --sacct or --prometheus, which is missing");
    }
    return from.get().at().isPresent() == sacct.isPresent()
        ? Optional.empty()
        : Optional.of(
            sacct.isPresent()
                ? "--from must be a time of --sacct like 2026-03-01T18:00:00, was a duration"
                : "--from must be a duration after the begin of --pod-list, was a time");
  }

  /**
   * The trace of a seed.
   *
   * @param context with the configuration of the Prometheus
   * @param problems collects the rows of files that cannot be used
   * @throws InvalidTrace if a file cannot be used at all
   * @throws HistoryUnavailable if the Prometheus did not answer completely
   */
  LongFunction<WorkloadTrace> traces(ApplicationContext context, TraceProblems problems) {
    if (prometheus.isPresent()) {
      WorkloadTrace past = new PrometheusTraceReader(context, priorities).trace(from, to, length);
      return _ -> past;
    }
    if (nodeList.isEmpty()) {
      return each -> SeedScenario.generate(nodes, length, each);
    }
    Path nodeFile = nodeList.orElseThrow();
    if (podList.isPresent()) {
      return TraceFiles.openb(
              nodeFile, podList.get(), dutyCycles, from.flatMap(TraceTime::after), length, problems)
          ::trace;
    }
    if (sacct.isPresent()) {
      return TraceFiles.slurm(
              nodeFile,
              sacct.get(),
              new SlurmOptions(Set.copyOf(notebookPartitions), priorities, jobActivity),
              dutyCycles,
              from.flatMap(TraceTime::at),
              length,
              problems)
          ::trace;
    }
    return TraceFiles.workloads(nodeFile, workloads.orElseThrow(), dutyCycles, length, problems)
        ::trace;
  }

  /** Whether a seed decides anything about the trace. */
  boolean isDrawn() {
    return prometheus.isEmpty();
  }
}
