package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison.PolicyOutcome;
import io.gpureclaimer.reclaimer.simulate.SimulationResult;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.WaitFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The comparison of policies as text: one row for each figure, one column for each policy. */
public final class SimulationText {
  private static final double HOURS_PER_WEEK = 168;

  private SimulationText() {}

  /** Stands for a figure that no run has: a share of nothing, a percentile of no wait. */
  static final String ABSENT = "–";

  /**
   * A figure of one run.
   *
   * @param name of the figure, with its unit
   * @param value of one run; absent where it has none
   * @param format of one value
   */
  record FigureRow(
      String name,
      Function<SimulationResult, OptionalDouble> value,
      DoubleFunction<String> format) {

    /** The values of all runs that have one, in order. */
    static double[] values(
        PolicyOutcome outcome, Function<SimulationResult, OptionalDouble> value) {
      return outcome.runs().stream()
          .map(value)
          .flatMapToDouble(OptionalDouble::stream)
          .sorted()
          .toArray();
    }

    /** The mean over the seeds, and the least and the greatest value if they differ. */
    String cell(PolicyOutcome outcome) {
      double[] values = values(outcome, value);
      if (values.length == 0) {
        return ABSENT;
      }
      double mean = DoubleStream.of(values).average().orElseThrow();
      String least = format.apply(values[0]);
      String greatest = format.apply(values[values.length - 1]);
      return least.equals(greatest)
          ? least
          : format.apply(mean) + " (" + least + "–" + greatest + ")";
    }
  }

  /** The table, with what has to be known to read it. */
  public static String of(PolicyComparison comparison) {
    var header = new ArrayList<String>();
    header.add("");
    comparison.outcomes().forEach(outcome -> header.add(outcome.policy().code()));
    var table = new Table(header.toArray(String[]::new));
    for (FigureRow row : rows(comparison)) {
      table.add(
          Stream.concat(Stream.of(row.name()), comparison.outcomes().stream().map(row::cell))
              .toArray(String[]::new));
    }
    return summary(comparison)
        + "\n\n"
        + table.text()
        + "\n"
        + policies(comparison)
        + remarks(comparison);
  }

  /** What was simulated, in one line. */
  static String summary(PolicyComparison comparison) {
    return Durations.format(comparison.length())
        + ", nodes: "
        + comparison.nodes()
        + ", GPUs: "
        + comparison.gpus()
        + ", workloads: "
        + comparison.workloads()
        + "; "
        + comparison.description()
        + "; "
        + (comparison.seeds().size() == 1
            ? "seed " + comparison.seeds().getFirst()
            : "mean (least–greatest) of the seeds "
                + comparison.seeds().getFirst()
                + " to "
                + comparison.seeds().getLast());
  }

  private static String policies(PolicyComparison comparison) {
    var text = new StringBuilder();
    comparison
        .outcomes()
        .forEach(
            outcome ->
                text.append(outcome.policy().code())
                    .append(": ")
                    .append(outcome.policy().text())
                    .append('\n'));
    return text.toString();
  }

  private static String remarks(PolicyComparison comparison) {
    var text = new StringBuilder();
    comparison.remarks().forEach(remark -> text.append(remark).append('\n'));
    return text.toString();
  }

  /** All figures, in the order of the table. */
  static List<FigureRow> rows(PolicyComparison comparison) {
    var rows = new ArrayList<FigureRow>();
    if (runs(comparison).anyMatch(SimulationText::isScaled)) {
      rows.add(
          hours("GPUs of nodes, GPU-hours", run -> run.usage().allocated() + run.usage().free()));
    }
    rows.add(percent("GPUs allocated, %", run -> run.usage().allocatedPercent()));
    rows.add(percent("free GPUs fragmented, %", run -> run.usage().fragmentedPercent()));
    rows.add(hours("free while pods pending, GPU-hours", run -> run.usage().stranded()));
    rows.add(percent("allocated GPUs active, %", run -> run.usage().activePercent()));
    boolean isAllKnown = runs(comparison).allMatch(run -> run.usage().unknown() == 0);
    if (!isAllKnown) {
      rows.add(percent("allocated GPUs unknown, %", run -> run.usage().unknownPercent()));
    }
    rows.add(hours("useful work, GPU-hours", run -> run.work().useful()));
    rows.add(count("trainings completed", run -> run.work().trainings()));
    rows.add(hours("work repeated, GPU-hours", run -> run.work().lost()));
    rows.add(hours("requests missed, GPU-hours", run -> run.work().missed()));
    waits(rows, "all pods", SimulationResult.ALL);
    rows.add(count("pods never served", run -> run.allPending().unserved().size()));
    shapes(comparison).forEach(shape -> waits(rows, name(shape), shape));
    priorities(comparison).forEach(priority -> waits(rows, priority));
    rows.add(count("reclaimed", run -> run.reclaims().total()));
    for (String action : actions(comparison)) {
      rows.add(count("  by " + action, run -> run.reclaims().byAction().getOrDefault(action, 0)));
    }
    rows.add(count("reclaimed while active", run -> run.reclaims().whileActive()));
    rows.add(count("needed again within 30m", run -> run.reclaims().neededWithin30m()));
    rows.add(count("needed again within 1h", run -> run.reclaims().neededWithin1h()));
    rows.add(percent("  of reclaimed, %", run -> run.reclaims().regretPercent()));
    rows.add(count("needed again within 4h", run -> run.reclaims().neededWithin4h()));
    if (!isAllKnown) {
      rows.add(count("unknown whether needed", run -> run.reclaims().unknownAfter()));
    }
    rows.add(count("users disturbed a week", SimulationText::disturbedPerWeek));
    rows.add(duration("their wait, p50", percentile(SimulationResult::returns, 50)));
    rows.add(duration("their wait, p95", percentile(SimulationResult::returns, 95)));
    rows.add(hours("freed, GPU-hours", run -> run.freed().total()));
    rows.add(hours("  used by others", run -> run.freed().used()));
    rows.add(hours("freed for a pending pod, GPU-hours", run -> run.freed().forUnits()));
    rows.add(percent("  used by that pod, %", run -> run.freed().usedByUnitsPercent()));
    return rows;
  }

  /** Whether nodes were added or removed. */
  static boolean isScaled(SimulationResult run) {
    double atStart = run.gpus() * run.hours();
    return Math.abs(run.usage().allocated() + run.usage().free() - atStart) > 1e-6 * atStart;
  }

  /** How often users were disturbed, extrapolated to a week. */
  static double disturbedPerWeek(SimulationResult run) {
    return run.reclaims().disturbances() * HOURS_PER_WEEK / run.hours();
  }

  private static void waits(List<FigureRow> rows, String pods, String key) {
    rows.add(duration("pending p50, " + pods, percentile(run -> wait(run, key), 50)));
    rows.add(duration("pending p95, " + pods, percentile(run -> wait(run, key), 95)));
    rows.add(duration("pending p99, " + pods, percentile(run -> wait(run, key), 99)));
  }

  private static void waits(List<FigureRow> rows, int priority) {
    for (int percent : List.of(50, 95, 99)) {
      rows.add(
          duration(
              "pending p" + percent + ", priority " + priority,
              percentile(
                  run -> run.pendingByPriority().getOrDefault(priority, WaitFigures.NONE),
                  percent)));
    }
  }

  private static WaitFigures wait(SimulationResult run, String key) {
    return run.pending().getOrDefault(key, WaitFigures.NONE);
  }

  private static List<String> shapes(PolicyComparison comparison) {
    return runs(comparison)
        .flatMap(run -> run.pending().keySet().stream())
        .filter(key -> !key.equals(SimulationResult.ALL))
        .distinct()
        .sorted(
            Comparator.comparing((String key) -> key.startsWith(SimulationResult.GROUP))
                .thenComparingInt(SimulationText::gpus))
        .toList();
  }

  private static String name(String shape) {
    int gpus = gpus(shape);
    return shape.startsWith(SimulationResult.GROUP)
        ? "groups of " + (gpus == 2 ? "2" : gpus / 2 + 1 + "–" + gpus) + " GPUs"
        : gpus + "-GPU pods";
  }

  private static int gpus(String shape) {
    return Integer.parseInt(shape.replace(SimulationResult.GROUP, ""));
  }

  /** All priorities of the trace, if it has more than one. */
  private static Set<Integer> priorities(PolicyComparison comparison) {
    var priorities = new TreeSet<Integer>();
    runs(comparison).forEach(run -> priorities.addAll(run.pendingByPriority().keySet()));
    return priorities.size() > 1 ? priorities : Set.of();
  }

  private static Set<String> actions(PolicyComparison comparison) {
    var actions = new TreeSet<String>();
    runs(comparison).forEach(run -> actions.addAll(run.reclaims().byAction().keySet()));
    return actions;
  }

  static Stream<SimulationResult> runs(PolicyComparison comparison) {
    return comparison.outcomes().stream().flatMap(outcome -> outcome.runs().stream());
  }

  private static FigureRow percent(String name, Function<SimulationResult, OptionalDouble> value) {
    return new FigureRow(name, value, each -> String.format(Locale.ROOT, "%.1f", each));
  }

  private static FigureRow hours(String name, ToDoubleFunction<SimulationResult> value) {
    return new FigureRow(
        name,
        present(value),
        each -> String.format(Locale.ROOT, each < 100 ? "%.1f" : "%.0f", each));
  }

  private static FigureRow count(String name, ToDoubleFunction<SimulationResult> value) {
    return new FigureRow(name, present(value), each -> String.format(Locale.ROOT, "%.0f", each));
  }

  /** A value that each run has. */
  static Function<SimulationResult, OptionalDouble> present(
      ToDoubleFunction<SimulationResult> value) {
    return run -> OptionalDouble.of(value.applyAsDouble(run));
  }

  /** A percentile of waiting times, which is absent if there are none. */
  static Function<SimulationResult, OptionalDouble> percentile(
      Function<SimulationResult, WaitFigures> waits, int percent) {
    return run -> {
      OptionalInt found = waits.apply(run).percentile(percent);
      return found.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(found.getAsInt());
    };
  }

  private static FigureRow duration(String name, Function<SimulationResult, OptionalDouble> value) {
    return new FigureRow(
        name, value, each -> Durations.format(Duration.ofSeconds(Math.round(each))));
  }
}
