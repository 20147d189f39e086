package io.gpureclaimer.reclaimer.evidence.ledger;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ledger format: the activity records of our own agents.
 *
 * @param busyTimes busy times of earlier fetches
 */
public record LedgerFormat(BusyTimeStore busyTimes)
    implements EvidenceFormat, EvidenceFormat.Detector {
  /** The oddity of an answer without any pod. */
  public static final String NO_PODS =
      "no gpu_pod_* series in the answer: no pod holds a GPU, or no agent is scraped";

  /** The label that a scrape without {@code honor_labels} makes of the pod's UID. */
  static final String OVERWRITTEN_POD_UID = "exported_" + Labels.POD_UID;

  /** The busy time of a device that has not worked for a while, or never. */
  static final String BUSY = "busy";

  /** By how much the busy time of a device grew, though its last activity is older. */
  static final String GREW = "busy_grew";

  /** By how many seconds a sample of a device is older than that of its last observation. */
  static final String LAG = "lag";

  // Short, because each row of a large answer has one of them. What is computed has no name.
  static final String LAST_ACTIVE = "active";

  static final String OBSERVED_SINCE = "since";

  static final String OBSERVED_UNTIL = "until";

  static final String LAST_SIGNAL = "signal";

  /** The number of devices of a pod. */
  static final String COUNT = "count";

  /** The label of the agent that was scraped. */
  static final String INSTANCE = "instance";

  private static final String CODE = "ledger";

  /** A last activity of less than so many seconds ago is not compared with the busy time. */
  static final int RECENT_SECONDS = 60;

  private static final List<String> RECORDS =
      List.of(
          LedgerMetrics.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL,
          LedgerMetrics.DEVICE_COUNT);

  static final List<String> SIGNAL =
      Stream.concat(
              Stream.of(Labels.SIGNAL, Labels.WATCHED),
              Stream.of(Labels.UUID, Labels.GPU_INSTANCE_ID, Labels.POD_UID, OVERWRITTEN_POD_UID))
          .toList();

  static final List<String> POD = List.of(Labels.POD_UID, OVERWRITTEN_POD_UID, INSTANCE);

  static final List<String> DEVICE =
      List.of(Labels.UUID, Labels.GPU_INSTANCE_ID, Labels.POD_UID, OVERWRITTEN_POD_UID);

  /** Without earlier fetches. */
  public LedgerFormat() {
    this(new BusyTimeStore());
  }

  @Override
  public FormatName name() {
    return new FormatName(CODE, "what the agents recorded");
  }

  @Override
  public PodLabelNames labels() {
    return PodLabelNames.canonical();
  }

  @Override
  public Set<String> parsedLabels() {
    Set<String> labels = new HashSet<>(SIGNAL);
    labels.addAll(POD);
    labels.addAll(LedgerSelectiveQueries.VALUES);
    return labels;
  }

  @Override
  public String ifEmpty() {
    return NO_PODS;
  }

  /** Only the labels that are needed: in a large cluster most of the cost is that of labels. */
  @Override
  public List<String> allPods() {
    String until = LedgerMetrics.OBSERVED_UNTIL;
    String lastActive = LedgerMetrics.LAST_ACTIVE;
    String sampledAt = "timestamp(" + until + ")";
    return List.of(
        lag(lastActive, sampledAt),
        signalLag(""),
        lastSignal(""),
        PromQl.kind(
            BUSY,
            PromQl.by(
                "max",
                DEVICE,
                LedgerMetrics.BUSY
                    + " unless on ("
                    + String.join(", ", DEVICE)
                    + ") "
                    + lastActive
                    + " > time() - "
                    + RECENT_SECONDS)),
        PromQl.kind(ActivityQueries.SAMPLED_AT, PromQl.by("min", POD, sampledAt)),
        PromQl.kind(OBSERVED_UNTIL, PromQl.by("min", DEVICE, until)),
        PromQl.kind(COUNT, PromQl.by("max", POD, LedgerMetrics.DEVICE_COUNT)),
        // Of two series about one device, the later of these makes it look less idle.
        PromQl.kind(LAST_ACTIVE, PromQl.by("max", DEVICE, lastActive)),
        PromQl.kind(OBSERVED_SINCE, PromQl.by("max", DEVICE, LedgerMetrics.OBSERVED_SINCE)));
  }

  @Override
  public Optional<SelectiveQueries> selective() {
    return Optional.of(new LedgerSelectiveQueries());
  }

  private static String lastSignal(String in) {
    return PromQl.kind(LAST_SIGNAL, PromQl.by("max", SIGNAL, LedgerMetrics.LAST_SIGNAL + in));
  }

  /** The same as of other records; the series of another signal than the last may be older. */
  private static String signalLag(String in) {
    return PromQl.kind(
        LAG,
        PromQl.field(
            LAST_SIGNAL,
            "("
                + PromQl.by("max", DEVICE, "timestamp(" + LedgerMetrics.OBSERVED_UNTIL + in + ")")
                + " - "
                + PromQl.by("max", DEVICE, "timestamp(" + LedgerMetrics.LAST_SIGNAL + in + ")")
                + " > 0)"));
  }

  /** Without a measurement of utilization there is no sample of it. */
  @Override
  public List<String> onePod(PodActivity pod) {
    String matcher = PromQl.equal(Labels.POD_UID, pod.uid());
    String in = "{" + matcher + "}";
    return Stream.of(
            Stream.of(records(matcher), PromQl.kind(BUSY, LedgerMetrics.BUSY + in)),
            Stream.of(signalLag(in), lastSignal(in)),
            busyGrowth(pod, in).stream(),
            ActivityQueries.utilizations(pod))
        .flatMap(vectors -> vectors)
        .toList();
  }

  /**
   * The growth of busy times within the second half of the pod's idle time, as far as it is stored.
   * It moves with time, so that one wrong sample does not count forever.
   */
  private static Optional<String> busyGrowth(PodActivity pod, String in) {
    return pod.devices().stream()
        .map(
            device ->
                Duration.between(
                    device.lastActive().orElse(device.observedSince()), device.observedUntil()))
        .min(Comparator.naturalOrder())
        .map(idle -> idle.dividedBy(2).truncatedTo(ChronoUnit.SECONDS))
        .filter(half -> half.toSeconds() >= RECENT_SECONDS)
        .map(
            half -> {
              String ago = " offset " + half.toSeconds() + "s";
              String busy = LedgerMetrics.BUSY + in;
              String lastActive = LedgerMetrics.LAST_ACTIVE + in;
              return PromQl.kind(
                  GREW,
                  "(("
                      + busy
                      + " - "
                      + busy
                      + ago
                      + " > "
                      + BusyTimeStore.tolerated(half)
                      + ") and ("
                      + lastActive
                      + " == "
                      + lastActive
                      + ago
                      + "))");
            });
  }

  @Override
  public String pastPods() {
    return records("");
  }

  @Override
  public Optional<ClockNames> clockNames() {
    return Optional.of(
        new ClockNames(
            LedgerMetrics.LAST_ACTIVE, LedgerMetrics.OBSERVED_SINCE, LedgerMetrics.OBSERVED_UNTIL));
  }

  @Override
  public String devicesOf(Collection<String> namespaces) {
    return PodLabelNames.ofNamespaces(List.of(LedgerMetrics.OBSERVED_UNTIL), namespaces)
        // Device counts have no UUID, and there are few of them: all may come.
        + " or "
        + PromQl.select(List.of(LedgerMetrics.DEVICE_COUNT), "");
  }

  private static String records(String matcher) {
    String in = "{" + matcher + "}";
    String lastActive = LedgerMetrics.LAST_ACTIVE + in;
    String busy = LedgerMetrics.BUSY + in;
    String until = "timestamp(" + LedgerMetrics.OBSERVED_UNTIL + in + ")";
    // The smallest first: each "or" reads all that is left of it.
    return Stream.of(
            lag(lastActive, until),
            lag(LedgerMetrics.OBSERVED_SINCE + in, until),
            lag(busy, until),
            PromQl.kind(BUSY, "(" + busy + " == 0 unless " + lastActive + ")"),
            PromQl.kind(ActivityQueries.SAMPLED_AT, until),
            PromQl.select(RECORDS, matcher))
        .collect(Collectors.joining(" or "));
  }

  /** Empty, unless samples were lost: a scrape brings all timestamps or none. */
  private static String lag(String record, String until) {
    return PromQl.kind(LAG, "(" + until + " - timestamp(" + record + ") > 0)");
  }

  @Override
  public EvidenceParser parser(PodActivityAggregator into) {
    return new LedgerParser(into, busyTimes);
  }

  @Override
  public String code() {
    return CODE;
  }

  @Override
  public Optional<EvidenceFormat> undetected() {
    return Optional.of(this);
  }

  @Override
  public List<String> queries() {
    return List.of(
        ProbeResult.count(CODE, PromQl.select(List.of(LedgerMetrics.OBSERVED_UNTIL), "")));
  }

  @Override
  public Detection detect(ProbeResult found, Optional<PodLabelNames.PodLabelStyle> style) {
    return found.count(CODE) > 0 ? new Detection.Found(this) : new Detection.Absent();
  }
}
