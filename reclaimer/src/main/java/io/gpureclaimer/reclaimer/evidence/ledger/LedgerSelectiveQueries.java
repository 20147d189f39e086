package io.gpureclaimer.reclaimer.evidence.ledger;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.util.List;

/**
 * Queries about the records of some pods of a large cluster. A device has one row, because most
 * bytes of a row are the labels that name device and pod.
 */
final class LedgerSelectiveQueries implements EvidenceFormat.SelectiveQueries {
  /**
   * The row of a device: its last signal with the labels of that, or 0 without such labels, and
   * {@link #VALUES}. A device without all of these values has none, and so is not observed.
   */
  static final String DEVICE = "device";

  /**
   * By 50 s longer than a record is repeated. So no activity is missed between two fetches, even if
   * the clock of a node is behind that of the server.
   */
  private static final int RECENT_SECONDS = 150;

  /** The labels that have a value of the device. */
  static final List<String> VALUES =
      List.of(LedgerFormat.OBSERVED_SINCE, LedgerFormat.OBSERVED_UNTIL, LedgerFormat.BUSY);

  /** A pod whose UID was overwritten by the scrape is no pod of that UID. */
  @Override
  public String recentlyActive() {
    return PromQl.by(
        "max",
        List.of(Labels.POD_UID),
        LedgerMetrics.LAST_ACTIVE
            + "{"
            + PromQl.equal(LedgerFormat.OVERWRITTEN_POD_UID, "")
            + "} > time() - "
            + RECENT_SECONDS);
  }

  /** As few selectors as possible: each costs the server more than the rows that it returns. */
  @Override
  public List<String> pods(String matcher) {
    String in = "{" + matcher + "}";
    String sampledAt = "timestamp(" + LedgerMetrics.OBSERVED_UNTIL + in + ")";
    return List.of(
        lag(sampledAt, in),
        PromQl.kind(ActivityQueries.SAMPLED_AT, PromQl.by("min", LedgerFormat.POD, sampledAt)),
        PromQl.kind(
            LedgerFormat.COUNT,
            PromQl.by("max", LedgerFormat.POD, LedgerMetrics.DEVICE_COUNT + in)),
        PromQl.kind(LedgerFormat.LAST_ACTIVE, ofDevice("max", LedgerMetrics.LAST_ACTIVE + in)),
        PromQl.kind(DEVICE, device(in)));
  }

  /**
   * Empty, unless samples were lost. Of the signals of a device only the last counts: the series of
   * another one may be older.
   */
  private static String lag(String sampledAt, String in) {
    return PromQl.kind(
        LedgerFormat.LAG,
        "("
            + sampledAt
            + " - ignoring ("
            + Labels.WATCHED
            + ") group_right () (timestamp("
            + LedgerMetrics.LAST_ACTIVE
            + in
            + ") or max without ("
            + Labels.SIGNAL
            + ") (timestamp("
            + LedgerMetrics.LAST_SIGNAL
            + in
            + "))) > 0)");
  }

  /** Of two series about one device, the value counts that makes it look less idle. */
  private static String device(String in) {
    String since = ofDevice("max", LedgerMetrics.OBSERVED_SINCE + in);
    return "("
        + PromQl.by("max", LedgerFormat.SIGNAL, LedgerMetrics.LAST_SIGNAL + in)
        + " or on ("
        + String.join(", ", LedgerFormat.DEVICE)
        + ") 0 * "
        + since
        + ")"
        + withLabel(LedgerFormat.OBSERVED_SINCE, since)
        + withLabel(LedgerFormat.OBSERVED_UNTIL, ofDevice("min", LedgerMetrics.OBSERVED_UNTIL + in))
        + withLabel(LedgerFormat.BUSY, ofDevice("max", LedgerMetrics.BUSY + in));
  }

  private static String ofDevice(String aggregation, String series) {
    return PromQl.by(aggregation, LedgerFormat.DEVICE, series);
  }

  private static String withLabel(String label, String values) {
    return PromQl.withLabel(label, values, LedgerFormat.DEVICE);
  }
}
