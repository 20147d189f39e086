package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat;
import io.gpureclaimer.reclaimer.cli.FlagConverters.ModelPool;
import io.gpureclaimer.reclaimer.cli.PrometheusTraceReader.HistoryUnavailable;
import io.gpureclaimer.reclaimer.show.SimulationHtml;
import io.gpureclaimer.reclaimer.show.SimulationJson;
import io.gpureclaimer.reclaimer.show.SimulationText;
import io.gpureclaimer.reclaimer.simulate.ComparedPolicy;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison;
import io.gpureclaimer.reclaimer.simulate.TraceProblems;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.Autoscaling;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What policies would lead to in a cluster that a trace describes. */
@Command(
    name = "simulate",
    description = {
      "Run a trace of workloads in a simulated cluster, in virtual time, and compare policies."
          + " They are this program in its modes, rules of other programs, and knowledge of the future. Needs no"
          + " cluster, and a Prometheus only for --prometheus. Writes nothing."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final int MOST_SEEDS = 1_000;
  private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(10);
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  @Mixin TraceInput input = new TraceInput();

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "Time between two cycles of a policy; default 60s, as in a cluster. A "
              + "longer interval is faster, and delays actions by at most this time.")
  Duration interval = Duration.ofSeconds(60);

  @Option(names = "--seed", paramLabel = "N", description = "First seed; default 1.")
  long seed = 1;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "Number of seeds to simulate; default 3. With --prometheus nothing is "
              + "random, so it is 1.")
  int seeds = 3;

  @Option(
      names = "--autoscale",
      paramLabel = "MODEL=MIN-MAX",
      split = ",",
      converter = FlagConverters.OfModelPool.class,
      description =
          "Let an autoscaler add nodes of this model of GPUs up to MAX, and remove empty ones down"
              + " to MIN; default: the nodes stay as they are.")
  List<ModelPool> autoscale = List.of();

  @Option(
      names = "--node-startup",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "Time from the decision of the autoscaler until its node accepts pods; default 5m.")
  Duration nodeStartup = Duration.ofMinutes(5);

  @Option(
      names = "--node-idle",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "Time without a pod after which the autoscaler removes a node; default 10m, as in Cluster"
              + " Autoscaler.")
  Duration nodeIdle = Duration.ofMinutes(10);

  @Option(
      names = "--policies",
      paramLabel = "NAME",
      split = ",",
      converter = FlagConverters.OfComparedPolicy.class,
      description =
          "Policies to compare, separated by commas; default: none, preemption, "
              + "report, on-demand,"
              + " always, any-gpu-30m, average-10, oracle. Also longest-idle, fewest-pods, random:"
              + " on-demand with another choice of victims.")
  List<ComparedPolicy> policies = ComparedPolicy.usual();

  @Mixin HtmlReport html = new HtmlReport();

  @Mixin OutputFormat output = new OutputFormat();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    return mistake()
        .map(ExitCode::userError)
        .orElseGet(() -> SingleRun.in(properties(), this::simulate));
  }

  private Optional<String> mistake() {
    if (seeds < 1 || seeds > MOST_SEEDS) {
      return Optional.of("--seeds must be from 1 to " + MOST_SEEDS + ", was " + seeds);
    }
    if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
      return Optional.of("--interval must be from 10s to 1h, was " + Durations.format(interval));
    }
    if (autoscale.stream().map(ModelPool::model).distinct().count() < autoscale.size()) {
      return Optional.of(
          "--autoscale must name each model once, was "
              + autoscale.stream().map(ModelPool::model).collect(Collectors.joining(", ")));
    }
    if (nodeStartup.isNegative() || nodeIdle.isNegative()) {
      return Optional.of("--node-startup and --node-idle must not be negative, was one that is");
    }
    return input.mistake();
  }

  /** Those of this program; the agents of a simulation report no signals. */
  private Map<String, Object> properties() {
    var properties = new HashMap<>(SingleRun.withoutEvidence(spec));
    input.prometheus.ifPresent(
        url -> {
          properties.remove("direct.agents");
          properties.put("prometheus.url", url.toString());
        });
    properties.put("reclaimer.cluster", "embedded");
    properties.put("reclaimer.schedule", "false");
    properties.put("evidence.signals.kinds", List.of("none"));
    return properties;
  }

  /** Each run starts the program by itself; this context only checks and reads the properties. */
  private int simulate(ApplicationContext context) {
    Map<String, Object> properties = properties();
    var problems = new TraceProblems();
    LongFunction<WorkloadTrace> traces;
    try {
      traces = input.traces(context, problems);
    } catch (InvalidTrace e) {
      return ExitCode.userError(String.valueOf(e.getMessage()));
    } catch (HistoryUnavailable e) {
      return ExitCode.worldIsBroken(String.valueOf(e.getMessage()));
    }
    if (problems.count() > 0) {
      problems.lines().forEach(System.err::println);
      if (!input.skipInvalid) {
        return ExitCode.userError(
            problems.count() + " rows cannot be used; --skip-invalid leaves them out");
      }
      System.err.println("gpu-reclaimer: " + problems.count() + " rows left out");
    }
    PolicyComparison comparison;
    try {
      comparison = compare(traces, properties);
    } catch (InvalidTrace e) {
      return ExitCode.userError(String.valueOf(e.getMessage()));
    }
    System.out.print(
        output.choose(() -> SimulationText.of(comparison), () -> SimulationJson.of(comparison)));
    return html.write(() -> SimulationHtml.of(comparison));
  }

  private PolicyComparison compare(
      LongFunction<WorkloadTrace> traces, Map<String, Object> properties) {
    return PolicyComparison.run(
        each -> autoscaled(traces.apply(each)),
        LongStream.range(seed, seed + (input.isDrawn() ? seeds : 1)).boxed().toList(),
        policies,
        interval,
        (cluster, source, clock, policy, each) ->
            SimulatedProgram.start(
                properties, cluster, source, clock, ComparedCosts.of(policy, each)));
  }

  private WorkloadTrace autoscaled(WorkloadTrace trace) {
    return autoscale.isEmpty()
        ? trace
        : trace.autoscaled(
            new Autoscaling(
                autoscale.stream().collect(Collectors.toMap(ModelPool::model, ModelPool::size)),
                nodeStartup,
                nodeIdle));
  }
}
