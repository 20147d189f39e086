package io.gpureclaimer.reclaimer.show;

import static io.gpureclaimer.reclaimer.show.ReportPage.escaped;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.show.ReportPage.Bar;
import io.gpureclaimer.reclaimer.show.SimulationText.FigureRow;
import io.gpureclaimer.reclaimer.simulate.ComparedPolicy;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison;
import io.gpureclaimer.reclaimer.simulate.PolicyComparison.PolicyOutcome;
import io.gpureclaimer.reclaimer.simulate.SimulationResult;
import io.gpureclaimer.reclaimer.simulate.SimulationResult.HourlyUsage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The comparison of policies as an HTML report with the table of {@link SimulationText}. */
public final class SimulationHtml {
  private static final int HEIGHT = 260;

  private SimulationHtml() {}

  /** The whole page. */
  public static String of(PolicyComparison comparison) {
    var page = new ReportPage("GPU policies compared", SimulationText.summary(comparison));
    bars(
        page,
        "Allocated GPUs that are active, %",
        comparison,
        run -> run.usage().activePercent(),
        value -> String.format(Locale.ROOT, "%.0f %%", value));
    bars(
        page,
        "Pending time of the pods, 95th percentile",
        comparison,
        SimulationText.percentile(SimulationResult::allPending, 95),
        SimulationHtml::duration);
    if (SimulationText.runs(comparison).anyMatch(SimulationText::isScaled)) {
      bars(
          page,
          "GPUs of nodes, with those of the autoscaler, GPU-hours",
          comparison,
          SimulationText.present(run -> run.usage().allocated() + run.usage().free()),
          value -> String.format(Locale.ROOT, "%.0f", value));
    }
    bars(
        page,
        "Useful work, GPU-hours",
        comparison,
        SimulationText.present(run -> run.work().useful()),
        value -> String.format(Locale.ROOT, "%.0f", value));
    bars(
        page,
        "Reclaimed workloads that were active at that second",
        comparison,
        SimulationText.present(run -> run.reclaims().whileActive()),
        value -> String.format(Locale.ROOT, "%.0f", value));
    bars(
        page,
        "Reclaimed workloads that were needed again within an hour, %",
        comparison,
        run -> run.reclaims().regretPercent(),
        value -> String.format(Locale.ROOT, "%.0f %%", value));
    bars(
        page,
        "Work that was lost and repeated, GPU-hours",
        comparison,
        SimulationText.present(run -> run.work().lost()),
        value -> String.format(Locale.ROOT, "%.0f", value));
    bars(
        page,
        "Free GPUs that a typical pod cannot use (fragmentation), %",
        comparison,
        run -> run.usage().fragmentedPercent(),
        value -> String.format(Locale.ROOT, "%.0f %%", value));
    bars(
        page,
        "Users disturbed a week",
        comparison,
        SimulationText.present(SimulationText::disturbedPerWeek),
        value -> String.format(Locale.ROOT, "%.0f", value));
    series(page, comparison);
    table(page, comparison);
    notes(page, comparison);
    return page.text();
  }

  /** One bar for each policy, over the seeds. */
  private static void bars(
      ReportPage page,
      String title,
      PolicyComparison comparison,
      Function<SimulationResult, OptionalDouble> value,
      DoubleFunction<String> format) {
    page.bars(
        title,
        comparison.outcomes().stream()
            .map(
                outcome -> {
                  String code = outcome.policy().code();
                  double[] values = FigureRow.values(outcome, value);
                  return new Bar(
                      code,
                      code,
                      DoubleStream.of(values).boxed().toList(),
                      format.apply(DoubleStream.of(values).average().orElse(0)));
                })
            .toList());
  }

  /** Active GPUs in each hour of the first seed, one line for each policy. */
  private static void series(ReportPage page, PolicyComparison comparison) {
    page.heading("Active GPUs by hour, seed " + comparison.seeds().getFirst(), HEIGHT + 50);
    int most =
        (int)
            Math.ceil(
                SimulationText.runs(comparison)
                    .flatMap(run -> run.series().stream())
                    .mapToDouble(HourlyUsage::active)
                    .reduce(comparison.gpus(), Math::max));
    int hours = comparison.outcomes().getFirst().runs().getFirst().series().size();
    for (int part = 0; part <= 4; part++) {
      double y = HEIGHT + 5 - HEIGHT * part / 4.0;
      page.add(
          "<line class=\"grid\" x1=\"50\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>%n<text x=\"0\""
              + " y=\"%.1f\">%d</text>%n",
          ReportPage.WIDTH, y, y, y + 4, most * part / 4);
    }
    int legend = 50;
    for (PolicyOutcome outcome : comparison.outcomes()) {
      line(page, outcome, hours, most);
      String code = outcome.policy().code();
      page.add(
          "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"var(--%s)\"/>%n<text x=\"%d\""
              + " y=\"%d\">%s</text>%n",
          legend, HEIGHT + 28, code, legend + 17, HEIGHT + 39, code);
      legend += 40 + 8 * code.length();
    }
    page.add("</svg>%n");
  }

  private static void line(ReportPage page, PolicyOutcome outcome, int hours, int most) {
    page.add("<polyline class=\"series\" stroke=\"var(--%s)\" points=\"", outcome.policy().code());
    List<HourlyUsage> series = outcome.runs().getFirst().series();
    for (int hour = 0; hour < series.size(); hour++) {
      page.add(
          "%s%.1f,%.1f",
          hour == 0 ? "" : " ",
          50 + (ReportPage.WIDTH - 50) * (hour + 0.5) / hours,
          HEIGHT + 5 - HEIGHT * series.get(hour).active() / most);
    }
    page.add("\"/>%n");
  }

  private static void table(ReportPage page, PolicyComparison comparison) {
    List<PolicyOutcome> outcomes = comparison.outcomes();
    page.table(
        "All figures",
        Stream.concat(Stream.of(""), outcomes.stream().map(each -> each.policy().code())).toList(),
        SimulationText.rows(comparison).stream()
            .map(
                row ->
                    Stream.concat(Stream.of(row.name().strip()), outcomes.stream().map(row::cell))
                        .toList())
            .toList());
  }

  private static void notes(ReportPage page, PolicyComparison comparison) {
    page.list(
        "Policies",
        Stream.concat(
                comparison.outcomes().stream().map(PolicyOutcome::policy).map(SimulationHtml::note),
                comparison.remarks().stream().map(ReportPage::escaped))
            .toList());
  }

  private static String note(ComparedPolicy policy) {
    return "<b>" + policy.code() + "</b>: " + escaped(policy.text());
  }

  private static String duration(double seconds) {
    return Durations.format(Duration.ofSeconds(Math.round(seconds)));
  }
}
