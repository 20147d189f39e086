package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.backtest.Backtest;
import io.gpureclaimer.reclaimer.backtest.Backtest.GpuTime;
import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceResult;
import io.gpureclaimer.reclaimer.backtest.ModeOverride;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation;
import io.gpureclaimer.reclaimer.backtest.SimulatedReclamation.EvictionOutcome;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.policy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What would have been reclaimed: in a sentence, by namespace, and pod by pod. */
public final class BacktestText {
  static final Duration SOON = Duration.ofHours(1);
  static final Duration LATER = Duration.ofHours(24);

  static final List<String> NAMESPACE_COLUMNS =
      List.of(
          "NAMESPACE",
          "MODE",
          "GPU-HOURS",
          "IDLE",
          "UNKNOWN",
          "ONLY REPORTED",
          "FREED",
          "RECLAIMED",
          "NEEDED IN 1H",
          "NEEDED IN 24H",
          "UNKNOWN AFTER");
  static final List<String> RECLAIM_COLUMNS =
      List.of("RECLAIMED AT", "POD", "GPUS", "IDLE FOR", "FREED", "AFTERWARDS");

  private static final double SECONDS_PER_HOUR = 3_600.0;

  private BacktestText() {}

  /**
   * Lines, each ended by a line feed.
   *
   * @param limit how many of the pods are listed
   */
  public static String of(Backtest backtest, FormatName format, int limit) {
    var text = new StringBuilder();
    text.append(summary(backtest)).append("\n\n");
    text.append(namespaces(backtest)).append('\n').append(reclaims(backtest.reclaims(), limit));
    text.append("\nREMARKS\n");
    remarks(backtest, format).forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  /** One sentence about evictions and regrets, one about what is unknown. */
  static String summary(Backtest backtest) {
    NamespaceResult all = backtest.total();
    return "In "
        + Durations.format(backtest.range().length())
        + " until "
        + backtest.range().to()
        + ", evaluated every "
        + Durations.format(backtest.range().step())
        + ", "
        + "a pod would have been reclaimed "
        + count(backtest.reclaims().size(), "time")
        + ", which frees "
        + hours(all.freed())
        + " of the "
        + hours(all.account().idle())
        + " GPU-hours that were allocated and idle; "
        + all.neededWithin(SOON)
        + " of these would have been needed again within 1h, "
        + all.neededWithin(LATER)
        + " within 24h.\n"
        + "The activity of "
        + hours(all.account().unknown())
        + " of the "
        + hours(all.account().held())
        + " allocated GPU-hours is unknown; "
        + recorded(backtest);
  }

  private static String recorded(Backtest backtest) {
    Duration missing = backtest.range().length().minus(backtest.recorded());
    return missing.isZero()
        ? "there are records of the whole time."
        : "for "
            + Durations.format(missing)
            + " of the time there are no records"
            + backtest.firstSeen().map(at -> ", the first is of " + at).orElse("")
            + ".";
  }

  private static String namespaces(Backtest backtest) {
    var table = new Table(NAMESPACE_COLUMNS.toArray(String[]::new));
    namespaceRows(backtest).forEach(row -> table.add(row.toArray(String[]::new)));
    return table.text();
  }

  /** One row for each namespace, and one for all if there are several. */
  static List<List<String>> namespaceRows(Backtest backtest) {
    List<List<String>> rows = new ArrayList<>();
    backtest
        .namespaces()
        .forEach(
            each ->
                rows.add(
                    row(
                        each.name(),
                        each.mode().map(ModeOverride.OverriddenMode::toString).orElse("?"),
                        each)));
    if (backtest.namespaces().size() > 1) {
      rows.add(row("(all)", "", backtest.total()));
    }
    return rows;
  }

  private static List<String> row(String name, String mode, NamespaceResult result) {
    GpuTime account = result.account();
    return List.of(
        name,
        mode,
        hours(account.held()),
        hours(account.idle()),
        hours(account.unknown()),
        hours(account.reported()),
        hours(result.freed()),
        Integer.toString(result.reclaims().size()),
        Long.toString(result.neededWithin(SOON)),
        Long.toString(result.neededWithin(LATER)),
        Long.toString(result.unknownAfter()));
  }

  private static String reclaims(List<SimulatedReclamation> reclaims, int limit) {
    if (reclaims.isEmpty()) {
      return "Nothing would have been reclaimed.\n";
    }
    var table = new Table(RECLAIM_COLUMNS.toArray(String[]::new));
    reclaimRows(reclaims, limit).forEach(row -> table.add(row.toArray(String[]::new)));
    int more = reclaims.size() - limit;
    return table.text() + (more > 0 ? "and " + more + " more; --limit shows them\n" : "");
  }

  /** One row for each of the first pods. */
  static List<List<String>> reclaimRows(List<SimulatedReclamation> reclaims, int limit) {
    return reclaims.stream()
        .limit(limit)
        .map(
            each ->
                List.of(
                    each.at().toString(),
                    each.pod() + (each.isGone() ? " (gone)" : ""),
                    Integer.toString(each.devices()),
                    Durations.format(each.idleFor()),
                    hours(each.freed()),
                    words(each.afterwards(), each.at())))
        .toList();
  }

  /** What became of a pod that would have been reclaimed at that time. */
  static String words(EvictionOutcome afterwards, Instant reclaimed) {
    return switch (afterwards) {
      case EvictionOutcome.ActiveAgain(var at) -> "needed again after " + since(reclaimed, at);
      case EvictionOutcome.StillIdle() -> "idle to the end";
      case EvictionOutcome.PodDeleted(var at) -> "deleted after " + since(reclaimed, at);
      case EvictionOutcome.NotObserved(var from) ->
          "unknown: not observed without a gap after " + since(reclaimed, from);
      case EvictionOutcome.SharedGpuActive(var from) ->
          "unknown: its shared GPU worked after " + since(reclaimed, from);
    };
  }

  private static String since(Instant reclaimed, Instant at) {
    return Durations.format(Duration.between(reclaimed, at));
  }

  /** What has to be known to read the figures, and what was left out of them. */
  static List<String> remarks(Backtest backtest, FormatName format) {
    var lines = new ArrayList<String>();
    lines.add("evidence format " + format);
    lines.add(
        "namespaces, owners, annotations and requests are those of today; budgets, the circuit"
            + " breaker and the recheck are not replayed: this is the most that would have been"
            + " reclaimed");
    if (backtest.reclaims().stream().anyMatch(each -> each.mode() == Mode.ON_DEMAND)) {
      lines.add(
          "in mode on-demand a pod is reclaimed only while another is pending, of which there are"
              + " no records, and workloads that are likely to be needed again"
              + " (plan.max-need-probability) are spared: not all of these would have been"
              + " reclaimed");
    }
    gone(backtest).ifPresent(lines::add);
    if (backtest.unnamed().isPositive()) {
      lines.add(
          hours(backtest.unnamed())
              + " GPU-hours left out: of deleted pods of which only the name is known");
    }
    lines.addAll(backtest.remarks());
    return lines;
  }

  private static Optional<String> gone(Backtest backtest) {
    long reclaimed = backtest.reclaims().stream().filter(SimulatedReclamation::isGone).count();
    return backtest.deletedPods() == 0
        ? Optional.empty()
        : Optional.of(
            count(backtest.deletedPods(), "pod")
                + " deleted since: judged by the policy of the namespace,"
                + " as pods without an owner; of those reclaimed, "
                + reclaimed
                + ", of which some may have had an owner, and would only have been reported");
  }

  private static String count(int count, String noun) {
    return count == 1 ? "1 " + noun : count + " " + noun + "s";
  }

  static double inHours(Duration time) {
    return time.toSeconds() / SECONDS_PER_HOUR;
  }

  private static String hours(Duration time) {
    return String.format(Locale.ROOT, "%.1f", inHours(time));
  }
}
