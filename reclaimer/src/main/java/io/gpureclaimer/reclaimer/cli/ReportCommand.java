package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.ModeOverride;
import io.gpureclaimer.reclaimer.backtest.ReconstructedCluster;
import io.gpureclaimer.reclaimer.cli.FlagConverters.HistoryTime;
import io.gpureclaimer.reclaimer.config.PrometheusConfig;
import io.gpureclaimer.reclaimer.cycle.StartupWait;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusHistory.Replayed;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.PeaksResult;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.rightsize.RightSizeReport;
import io.gpureclaimer.reclaimer.rightsize.UsageReplay;
import io.gpureclaimer.reclaimer.show.RightSizeJson;
import io.gpureclaimer.reclaimer.show.RightSizeText;
import io.micronaut.context.ApplicationContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Reports about a period, from a Prometheus. */
@Command(
    name = "report",
    description = {
      "Report on a period that the Prometheus holds. right-size lists workloads that requested more"
          + " GPUs, GPU memory or a larger model than they used, with a suggested request. Writes"
          + " nothing."
    })
final class ReportCommand implements Callable<Integer> {
  private static final String NEEDS_PROMETHEUS =
      "report needs prometheus.url: agents keep no past, was direct.agents";
  private static final Duration DEFAULT_STEP = Duration.ofMinutes(2);

  @Parameters(
      index = "0",
      paramLabel = "REPORT",
      converter = OfReport.class,
      description = "right-size.")
  ReportName report = ReportName.RIGHT_SIZE;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = FlagConverters.OfHistoryTime.class,
      description =
          "Where the period begins: a duration ago, or a time like 2026-03-01T18:00:00Z; default"
              + " 7d.")
  HistoryTime since = HistoryTime.ago(Duration.ofDays(7));

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
              + " series. GPUs that work within the same step count as used at once.")
  Optional<Duration> step = Optional.empty();

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      split = ",",
      description = "Namespaces to report on, separated by commas; default all.")
  List<String> namespaces = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Maximum number of workloads in the list; default 100.")
  int limit = 100;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text (default), json or csv.")
  Format output = Format.text;

  @Spec CommandSpec spec = CommandSpec.create();

  private final Clock clock = Clock.systemUTC();

  enum ReportName {
    RIGHT_SIZE
  }

  enum Format {
    text,
    json,
    csv
  }

  static final class OfReport implements ITypeConverter<ReportName> {
    @Override
    public ReportName convert(String text) {
      if (text.equals("right-size")) {
        return ReportName.RIGHT_SIZE;
      }
      throw new TypeConversionException("must be right-size, was " + text);
    }
  }

  /** What is wrong is said before any part of the program is started. */
  @Override
  public Integer call() {
    Instant now = clock.instant();
    Instant from = since.before(now);
    Instant to = until.before(now);
    return mistake(from, to, now)
        .map(ExitCode::userError)
        .orElseGet(
            () ->
                SingleRun.in(
                    CommonFlags.properties(spec),
                    context -> play(new TimeRange(from, to, step()).aligned(), context)));
  }

  private Duration step() {
    return step.orElse(DEFAULT_STEP);
  }

  private Optional<String> mistake(Instant from, Instant to, Instant now) {
    Map<String, Object> properties = CommonFlags.properties(spec);
    if (properties.containsKey("direct.agents") && !properties.containsKey("prometheus.url")) {
      return Optional.of(NEEDS_PROMETHEUS);
    }
    return limit < 0
        ? Optional.of("--limit must not be negative, was " + limit)
        : PastPeriod.mistake(from, to, now, step());
  }

  private int play(TimeRange range, ApplicationContext context) {
    return context
        .getBean(PrometheusConfig.class)
        .connection()
        .map(connection -> play(connection, range, context))
        .orElseGet(() -> ExitCode.userError(NEEDS_PROMETHEUS));
  }

  private int play(PrometheusConnection connection, TimeRange range, ApplicationContext context) {
    var history =
        new PrometheusHistory(
            connection,
            context.getBean(PrometheusConfig.class).options(SignalLimits.none()),
            namespaces);
    System.err.println(
        "gpu-reclaimer: queries "
            + history.address()
            + " from "
            + range.from()
            + " to "
            + range.to()
            + " every "
            + Durations.format(range.step())
            + ", in at least "
            + PrometheusHistory.slices(range)
            + " requests");
    var terms = context.getBean(JudgmentTerms.class);
    var replay =
        new UsageReplay(
            range,
            new ReconstructedCluster(
                context.getBean(StartupWait.class).cluster(),
                new ModeOverride(terms.defaults().mode(), Mode.REPORT)),
            terms.judge(),
            new NamespaceScope(Set.copyOf(namespaces)));
    var progress = new ProgressReport("evaluated", range, clock);
    return switch (history.replay(
        range,
        observation -> {
          replay.play(observation);
          progress.reached(observation.seen().at());
        })) {
      case Replayed.Unusable(String reason) -> ExitCode.worldIsBroken(reason);
      case Replayed.StepTooLong(_, Duration longest) when step.isEmpty() ->
          play(connection, new TimeRange(range.from(), range.to(), longest), context);
      case Replayed.StepTooLong(String rule, _) -> ExitCode.userError(rule);
      case Replayed.Complete(FormatName form) ->
          switch (new DevicePeaks(connection, namespaces).in(range)) {
            case PeaksResult.Unknown(String reason) -> ExitCode.worldIsBroken(reason);
            case PeaksResult.Known known -> print(replay.finish(known), form);
          };
    };
  }

  private int print(RightSizeReport found, FormatName form) {
    if (found.firstSeen().isEmpty()) {
      return ExitCode.worldIsBroken(PastPeriod.nothingRecorded(found.range(), namespaces));
    }
    System.out.print(
        switch (output) {
          case text -> RightSizeText.of(found, form, limit);
          case json -> RightSizeJson.of(found, form, limit);
          case csv -> RightSizeText.csv(found, limit);
        });
    return ExitCode.OK;
  }
}
