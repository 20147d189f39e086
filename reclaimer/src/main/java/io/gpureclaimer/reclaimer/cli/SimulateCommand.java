package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat;
import io.gpureclaimer.reclaimer.cli.FlagConverters.TraceTime;
import io.gpureclaimer.reclaimer.show.SimulationHtml;
import io.gpureclaimer.reclaimer.show.SimulationJson;
import io.gpureclaimer.reclaimer.show.SimulationText;
import io.gpureclaimer.reclaimer.simulate.ComparedPolicy;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison;
import io.gpureclaimer.reclaimer.simulate.SeedScenario;
import io.gpureclaimer.reclaimer.simulate.SlurmOptions;
import io.gpureclaimer.reclaimer.simulate.TraceFiles;
import io.gpureclaimer.reclaimer.simulate.TraceProblems;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What policies would lead to in a cluster that a trace describes. */
@Command(
    name = "simulate",
    description = {
      "Play a trace of workloads in a simulated cluster, in virtual time, and compare what policies"
          + " lead to: this program in its modes, rules of other programs, and knowledge of the"
          + " future. Needs no cluster and no Prometheus; writes nothing."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final int MOST_NODES = 100_000;
  private static final int MOST_SEEDS = 1_000;
  private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(10);
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Generate a scenario with this many nodes of 8 GPUs; default 64.")
  int nodes = 64;

  @Option(
      names = "--node-list",
      paramLabel = "FILE",
      description =
          "Nodes instead of generated ones: CSV with the columns sn, gpu and model, as the openb"
              + " traces have it. A name with .gz is read with gzip; so are the other files.")
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
              + " maybe used_gpus, models, priority, checkpoint_every and activity; needs"
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
          "Partitions of --sacct in which people work interactively, separated by commas; jobs of"
              + " others are trainings. Default none.")
  List<String> notebookPartitions = List.of();

  @Option(
      names = "--priorities",
      paramLabel = "NAME=N",
      split = ",",
      description =
          "Priority of the pods of a partition of --sacct; default 0. Priorities of Slurm change with"
              + " time and are left out.")
  Map<String, Integer> priorities = Map.of();

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
          "Where the simulation begins: a duration after the begin of --pod-list, or a time of"
              + " --sacct like 2026-03-01T18:00:00; default --length before the end.")
  Optional<TraceTime> from = Optional.empty();

  @Option(
      names = "--skip-invalid",
      description =
          "Leave out rows of the files that cannot be used, and report them; default: refuse the"
              + " files.")
  boolean skipInvalid;

  @Option(
      names = "--length",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description = "How long to simulate; default 7d.")
  Duration length = Duration.ofDays(7);

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "Time between two cycles of a policy; default 60s, as in a cluster. A longer one is faster,"
              + " and actions come later by at most as much.")
  Duration interval = Duration.ofSeconds(60);

  @Option(names = "--seed", paramLabel = "N", description = "First seed; default 1.")
  long seed = 1;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "How many seeds to simulate, one after the other; default 3.")
  int seeds = 3;

  @Option(
      names = "--policies",
      paramLabel = "NAME",
      split = ",",
      converter = FlagConverters.OfComparedPolicy.class,
      description =
          "Policies to compare, separated by commas; default all: none, report, on-demand, always,"
              + " any-gpu-30m, average-10, oracle.")
  List<ComparedPolicy> policies = List.of(ComparedPolicy.values());

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write a report with charts, as one HTML file that needs no other.")
  Optional<Path> html = Optional.empty();

  @Mixin OutputFormat output = new OutputFormat();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    return mistake()
        .map(ExitCode::userError)
        .orElseGet(() -> SingleRun.in(properties(), _ -> simulate()));
  }

  private Optional<String> mistake() {
    if (nodes < 1 || nodes > MOST_NODES) {
      return Optional.of("--nodes must be from 1 to " + MOST_NODES + ", was " + nodes);
    }
    if (seeds < 1 || seeds > MOST_SEEDS) {
      return Optional.of("--seeds must be from 1 to " + MOST_SEEDS + ", was " + seeds);
    }
    if (!length.isPositive() || length.compareTo(WorkloadTrace.LONGEST) > 0) {
      return Optional.of("--length must be from 1s to 3650d, was " + Durations.format(length));
    }
    if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
      return Optional.of("--interval must be from 10s to 1h, was " + Durations.format(interval));
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
    if (sacct.isEmpty()
        && (jobActivity.isPresent() || !notebookPartitions.isEmpty() || !priorities.isEmpty())) {
      return Optional.of(
          "--job-activity, --notebook-partitions and --priorities need --sacct, which is"
              + " missing");
    }
    return fromMistake();
  }

  private Optional<String> fromMistake() {
    if (from.isEmpty()) {
      return Optional.empty();
    }
    if (podList.isEmpty() && sacct.isEmpty()) {
      return Optional.of("--from needs --pod-list or --sacct, which is missing");
    }
    return from.get().at().isPresent() == sacct.isPresent()
        ? Optional.empty()
        : Optional.of(
            sacct.isPresent()
                ? "--from must be a time of --sacct like 2026-03-01T18:00:00, was a duration"
                : "--from must be a duration after the begin of --pod-list, was a time");
  }

  /** Those of this program; the agents of a simulation report no signals. */
  private Map<String, Object> properties() {
    var properties = new HashMap<>(SingleRun.withoutEvidence(spec));
    properties.put("reclaimer.cluster", "embedded");
    properties.put("reclaimer.schedule", "false");
    properties.put("evidence.signals.kinds", List.of("none"));
    return properties;
  }

  /** Each run starts the program by itself; this context only checks the properties. */
  private int simulate() {
    Map<String, Object> properties = properties();
    var problems = new TraceProblems();
    LongFunction<WorkloadTrace> traces;
    try {
      traces = traces(problems);
    } catch (InvalidTrace e) {
      return ExitCode.userError(String.valueOf(e.getMessage()));
    }
    if (problems.count() > 0) {
      problems.lines().forEach(System.err::println);
      if (!skipInvalid) {
        return ExitCode.userError(
            problems.count() + " rows cannot be used; --skip-invalid leaves them out");
      }
      System.err.println("gpu-reclaimer: " + problems.count() + " rows left out");
    }
    PolicyComparison comparison =
        PolicyComparison.run(
            traces,
            LongStream.range(seed, seed + seeds).boxed().toList(),
            policies,
            interval,
            (cluster, source, clock) -> SimulatedProgram.start(properties, cluster, source, clock));
    System.out.print(
        output.choose(() -> SimulationText.of(comparison), () -> SimulationJson.of(comparison)));
    return html.map(file -> write(file, SimulationHtml.of(comparison))).orElse(ExitCode.OK);
  }

  private static int write(Path file, String text) {
    try {
      Files.writeString(file, text);
      return ExitCode.OK;
    } catch (IOException e) {
      return ExitCode.worldIsBroken("cannot write " + file + ": " + e);
    }
  }

  private LongFunction<WorkloadTrace> traces(TraceProblems problems) {
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
}
