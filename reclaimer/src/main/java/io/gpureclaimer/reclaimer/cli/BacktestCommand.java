package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.backtest.Backtest;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.ModeOverride;
import io.gpureclaimer.reclaimer.backtest.PolicyReplay;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat;
import io.gpureclaimer.reclaimer.cli.FlagConverters.HistoryTime;
import io.gpureclaimer.reclaimer.cli.ResumableRange.UnusableFolder;
import io.gpureclaimer.reclaimer.config.PrometheusConfig;
import io.gpureclaimer.reclaimer.config.SignalsConfig;
import io.gpureclaimer.reclaimer.cycle.StartupWait;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.AnswerStore;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory.Replayed;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.show.BacktestHtml;
import io.gpureclaimer.reclaimer.show.BacktestJson;
import io.gpureclaimer.reclaimer.show.BacktestText;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the policy would have done until now. */
@Command(
    name = "backtest",
    description = {
      "Evaluate the current policy over past data of the Prometheus. Prints what would have been"
          + " reclaimed, the freed GPU-hours, and which pods needed their GPUs again. Writes"
          + " nothing."
    })
final class BacktestCommand implements Callable<Integer> {
  private static final String NEEDS_PROMETHEUS =
      "backtest needs prometheus.url: agents keep no past, was direct.agents";
  private static final Duration CYCLE = Duration.ofMinutes(1);
  private static final Duration DEFAULT_STEP = Duration.ofMinutes(2);
  private static final Duration SIGNALS_REACH_BACK = Duration.ofMinutes(2);

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = FlagConverters.OfHistoryTime.class,
      description =
          "Begin of the period: a duration ago, or a time such as "
              + "2026-03-01T18:00:00Z; default 14d.")
  HistoryTime since = HistoryTime.ago(Duration.ofDays(14));

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = FlagConverters.OfHistoryTime.class,
      description = "End of the period, in the same format; default now.")
  HistoryTime until = HistoryTime.ago(Duration.ZERO);

  @Option(
      names = "--step",
      paramLabel = "DURATION",
      converter = FlagConverters.OfDuration.class,
      description =
          "Time between two evaluations; default 2m, or 1m (the longest) with the evidence format"
              + " series. A longer step is cheaper for the Prometheus, but may miss "
              + "work that only signals show.")
  Optional<Duration> step = Optional.empty();

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      split = ",",
      description = "Namespaces to evaluate, separated by commas; default all.")
  List<String> namespaces = List.of();

  @Option(
      names = "--as-if",
      paramLabel = "MODE",
      converter = FlagConverters.OfMode.class,
      description =
          "Mode that replaces report and notify: always (default), on-demand, or report, which"
              + " reclaims nothing.")
  Mode asIf = Mode.ALWAYS;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Maximum number of reclaimed pods in the list; default 20.")
  int limit = 20;

  @Option(
      names = "--resume",
      paramLabel = "FOLDER",
      description =
          "Store the answers of the Prometheus in this folder; the same command "
              + "resumes there after an interruption.")
  Optional<Path> resume = Optional.empty();

  @Mixin HtmlReport html = new HtmlReport();

  @Mixin OutputFormat output = new OutputFormat();

  @Spec CommandSpec spec = CommandSpec.create();

  private final Clock clock = Clock.systemUTC();

  /** What is wrong is said before any part of the program is started. */
  @Override
  public Integer call() {
    Instant now = clock.instant();
    Instant from = since.before(now);
    Instant to = until.before(now);
    return mistake(from, to, now)
        .map(ExitCode::userError)
        .orElseGet(
            () -> resume.map(folder -> resumed(folder, from, to)).orElseGet(() -> run(from, to)));
  }

  private int resumed(Path folder, Instant from, Instant to) {
    try {
      var kept = new ResumableRange(folder).keep(commandLine(), from, to);
      if (kept.isContinued()) {
        System.err.println(
            "gpu-reclaimer: continues with the answers in "
                + folder
                + ", from "
                + kept.from()
                + " to "
                + kept.to());
      }
      return run(kept.from(), kept.to());
    } catch (UnusableFolder e) {
      return ExitCode.userError(String.valueOf(e.getMessage()));
    }
  }

  /** The flags that decide what is asked of the Prometheus. */
  private String commandLine() {
    return Stream.of(
            "--since",
            "--until",
            "--step",
            "--namespace",
            "--prometheus-url",
            "--prometheus-tenant",
            "--prometheus-form",
            "--prometheus-labels",
            "--signals")
        .map(name -> name + " " + String.join(",", spec.findOption(name).originalStringValues()))
        .collect(Collectors.joining(" "));
  }

  private int run(Instant from, Instant to) {
    return SingleRun.in(
        CommonFlags.properties(spec),
        context -> play(new TimeRange(from, to, step()).aligned(), context));
  }

  private Duration step() {
    return step.orElse(DEFAULT_STEP);
  }

  private int play(TimeRange range, ApplicationContext context) {
    return context
        .getBean(PrometheusConfig.class)
        .connection()
        .map(connection -> play(connection, range, context))
        .orElseGet(() -> ExitCode.userError(NEEDS_PROMETHEUS));
  }

  private Optional<String> mistake(Instant from, Instant to, Instant now) {
    if (limit < 0) {
      return Optional.of("--limit must not be negative, was " + limit);
    }
    Map<String, Object> properties = CommonFlags.properties(spec);
    if (properties.containsKey("direct.agents") && !properties.containsKey("prometheus.url")) {
      return Optional.of(NEEDS_PROMETHEUS);
    }
    return PastPeriod.mistake(from, to, now, step());
  }

  private int play(PrometheusConnection connection, TimeRange range, ApplicationContext context) {
    SignalLimits signals = context.getBean(SignalsConfig.class).limits();
    var history =
        new PrometheusHistory(
            connection,
            context.getBean(PrometheusConfig.class).options(signals),
            namespaces,
            resume.map(AnswerStore::new));
    announce(history, range);
    PolicyReplay player = player(range, signals, context);
    var progress = new ProgressReport("evaluated", range, clock);
    return switch (history.replay(
        range,
        observation -> {
          player.play(observation);
          progress.reached(observation.seen().at());
        })) {
      case Replayed.Unusable(String reason) -> ExitCode.worldIsBroken(reason);
      case Replayed.StepTooLong(_, Duration longest) when step.isEmpty() ->
          play(connection, new TimeRange(range.from(), range.to(), longest), context);
      case Replayed.StepTooLong(String rule, _) -> ExitCode.userError(rule);
      case Replayed.Complete(FormatName form) -> print(player.finish(), form);
    };
  }

  private void announce(PrometheusHistory history, TimeRange range) {
    System.err.println(
        "gpu-reclaimer: queries "
            + history.address()
            + " from "
            + range.from()
            + " to "
            + range.to()
            + " every "
            + Durations.format(range.step())
            + ": the activity of "
            + (namespaces.isEmpty() ? "all GPUs" : "the GPUs of " + String.join(", ", namespaces))
            + " and their signals, in at least "
            + (1 + PrometheusHistory.slices(range))
            + " requests of each kind"
            + (range.step().compareTo(CYCLE) > 0
                ? "; pods that are due for less than a step are missed, --step 1m finds them"
                : ""));
  }

  private PolicyReplay player(TimeRange range, SignalLimits signals, ApplicationContext context) {
    var terms = context.getBean(JudgmentTerms.class);
    Duration twoSteps = range.step().multipliedBy(2);
    return new PolicyReplay(
        range,
        context.getBean(StartupWait.class).cluster(),
        new ModeOverride(terms.defaults().mode(), asIf),
        terms.judge(),
        signals.kinds().isEmpty()
            ? SignalHistoryStore.none()
            : new SignalHistoryStore(
                twoSteps.compareTo(SIGNALS_REACH_BACK) > 0 ? twoSteps : SIGNALS_REACH_BACK),
        new NamespaceScope(Set.copyOf(namespaces)));
  }

  private int print(Backtest backtest, FormatName form) {
    if (backtest.firstSeen().isEmpty()) {
      return ExitCode.worldIsBroken(PastPeriod.nothingRecorded(backtest.range(), namespaces));
    }
    System.out.print(
        output.choose(
            () -> BacktestText.of(backtest, form, limit),
            () -> BacktestJson.of(backtest, form, limit)));
    return html.write(() -> BacktestHtml.of(backtest, form, limit));
  }
}
