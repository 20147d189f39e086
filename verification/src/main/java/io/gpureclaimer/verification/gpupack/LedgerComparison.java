package io.gpureclaimer.verification.gpupack;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import io.gpureclaimer.verification.gpupack.Load.Stretch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Ledger of one GPU, as scraped over the time, against the stretches of load on it. */
final class LedgerComparison {
  static final String LAST_ACTIVE = "gpu_pod_last_active_timestamp_seconds";
  static final String BUSY = "gpu_pod_busy_seconds_total";

  /** Two polls, and the driver's own averaging of one second. */
  private static final double SLACK_SECONDS = 3;

  private static final double BUSY_SHARE = 0.8;
  private static final double SHORTEST_BUSY_SECONDS = 5;
  private static final String REST = "no activity without load";

  private final String gpu;
  private final TreeMap<Instant, Double> busy = new TreeMap<>();
  private final List<Double> active = new ArrayList<>();

  LedgerComparison(String gpu) {
    this.gpu = gpu;
  }

  /** Adds what one scrape says. */
  void add(Scrape scrape) {
    scrape.value(BUSY, gpu).ifPresent(seconds -> busy.put(scrape.at(), seconds));
    scrape.value(LAST_ACTIVE, gpu).ifPresent(active::add);
  }

  /**
   * Compares the ledger with the load.
   *
   * @param othersUseGpu whether nvidia-smi found the GPU in use without load of ours
   */
  List<CheckRow> rows(List<Stretch> stretches, boolean othersUseGpu) {
    List<Stretch> own = stretches.stream().filter(stretch -> stretch.gpu().equals(gpu)).toList();
    if (busy.isEmpty()) {
      return List.of(
          CheckRow.notChecked(
              gpu + ": ledger", "one series", "the agent serves no ledger of this GPU"));
    }
    var rows = new ArrayList<CheckRow>();
    own.forEach(stretch -> rows.addAll(rowsOf(stretch)));
    rows.add(
        othersUseGpu
            ? CheckRow.notChecked(gpu + ": rest", REST, "another program uses the GPU")
            : outside(own));
    return rows;
  }

  private List<CheckRow> rowsOf(Stretch stretch) {
    double begin = seconds(stretch.begin());
    double end = seconds(stretch.end());
    double[] within =
        active.stream()
            .mapToDouble(Double::doubleValue)
            .filter(at -> at >= begin - SLACK_SECONDS && at <= end + SLACK_SECONDS)
            .sorted()
            .toArray();
    String name = gpu + ": load from " + stretch.begin() + " to " + stretch.end();
    if (within.length == 0) {
      return List.of(new CheckRow(name, "recorded as active", "no activity recorded", Result.FAIL));
    }
    CheckRow recorded = moment(name + ": end", within[within.length - 1] - end);
    return end - begin < SHORTEST_BUSY_SECONDS
        ? List.of(recorded)
        : List.of(moment(name + ": begin", within[0] - begin), recorded, busyDuring(stretch, name));
  }

  private static CheckRow moment(String subject, double later) {
    return new CheckRow(
        subject,
        String.format(Locale.ROOT, "recorded within %.0f s", SLACK_SECONDS),
        String.format(Locale.ROOT, "%+.1f s", later),
        Result.of(Math.abs(later) <= SLACK_SECONDS));
  }

  private CheckRow busyDuring(Stretch stretch, String name) {
    double length = Duration.between(stretch.begin(), stretch.end()).toMillis() / 1_000.0;
    double low = Math.max(0, BUSY_SHARE * length - SLACK_SECONDS);
    double high = length + SLACK_SECONDS;
    String expected = String.format(Locale.ROOT, "%.0f to %.0f s busy", low, high);
    OptionalDouble spent = busyBetween(stretch);
    if (spent.isEmpty()) {
      return CheckRow.notChecked(name + ": busy seconds", expected, "no scrape before and after");
    }
    double found = spent.getAsDouble();
    return new CheckRow(
        name + ": busy seconds",
        expected,
        String.format(Locale.ROOT, "%.1f s", found),
        Result.of(found >= low && found <= high));
  }

  private OptionalDouble busyBetween(Stretch stretch) {
    var before = busy.floorEntry(stretch.begin());
    var after = busy.ceilingEntry(stretch.end().plusMillis((long) (1_000 * SLACK_SECONDS)));
    return before == null || after == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(after.getValue() - before.getValue());
  }

  private CheckRow outside(List<Stretch> own) {
    long outside = active.stream().distinct().filter(at -> !isInside(at, own)).count();
    return new CheckRow(
        gpu + ": rest", REST, outside + " polls recorded as active", Result.of(outside == 0));
  }

  private static boolean isInside(double at, List<Stretch> own) {
    return own.stream()
        .anyMatch(
            stretch ->
                at >= seconds(stretch.begin()) - SLACK_SECONDS
                    && at <= seconds(stretch.end()) + SLACK_SECONDS);
  }

  private static double seconds(Instant at) {
    return at.toEpochMilli() / 1_000.0;
  }
}
