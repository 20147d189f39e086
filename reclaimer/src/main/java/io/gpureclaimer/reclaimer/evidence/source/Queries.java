package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/** The questions to the records of our own agents, in PromQL: one for each kind of look. */
final class Queries {
  static final String KIND = Promql.KIND;
  static final String SAMPLED_AT = "sampled_at";

  /** A device that has not worked since its observation began, as its agent says outright. */
  static final String NEVER_ACTIVE = "never_active";

  /** A device of whose marks some are of an older scrape than others. */
  static final String TORN = "torn";

  /** The last observation of a device, where it is not told under its own name. */
  static final String OBSERVED_UNTIL = "observed_until";

  static final String UTILIZATION = "utilization";

  private static final List<String> LEDGER =
      List.of(
          LedgerMetrics.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL,
          LedgerMetrics.DEVICE_COUNT);

  /** Of two series about one device, or a pod's, the later of these makes it look less idle. */
  private static final List<String> LATEST =
      List.of(LedgerMetrics.LAST_ACTIVE, LedgerMetrics.OBSERVED_SINCE, LedgerMetrics.DEVICE_COUNT);

  private static final List<String> POD =
      List.of(Labels.POD_UID, LedgerSamples.OVERWRITTEN_POD_UID);
  private static final List<String> DEVICE =
      Stream.concat(Stream.of(Labels.UUID, Labels.GPU_INSTANCE_ID), POD.stream()).toList();

  private static final int GPUS_OF_A_VECTOR = 8;

  private Queries() {}

  /**
   * What the agents recorded of every pod, and when each pod's agent was scraped, with no label
   * that is not needed: in a large cluster most of the cost is that of labels.
   */
  static List<String> everyPod() {
    String until = LedgerMetrics.OBSERVED_UNTIL;
    String sampledAt = "timestamp(" + until + ")";
    return List.of(
        torn(LedgerMetrics.LAST_ACTIVE, sampledAt),
        Promql.kind(NEVER_ACTIVE, Promql.by("max", DEVICE, LedgerMetrics.BUSY) + " == 0"),
        Promql.kind(SAMPLED_AT, Promql.by("min", POD, sampledAt)),
        Promql.kind(OBSERVED_UNTIL, Promql.by("min", DEVICE, until)),
        Promql.by("max", named(DEVICE), Promql.select(LATEST, "")));
  }

  /** The same series by series, each with all of its labels. */
  static String everyPodByName() {
    return recorded("");
  }

  private static List<String> named(List<String> labels) {
    return Stream.concat(Stream.of(Sorting.NAME), labels.stream()).toList();
  }

  /**
   * Everything that the agents recorded of one pod, series by series, and the highest raw
   * utilization of its GPUs in the last two minutes, whoever measured it. Without a single
   * measurement there is no such sample.
   */
  static List<String> onePod(PodActivity pod) {
    String recorded = recorded(Promql.equal(Labels.POD_UID, pod.uid()));
    return Stream.concat(Stream.of(recorded), utilizations(pod)).toList();
  }

  /** The raw utilization of the pod's GPUs. */
  static Stream<String> utilizations(PodActivity pod) {
    return someGpus(pod).map(gpus -> utilization(gpus, Labels.UUID));
  }

  /** The pod's GPUs, some at a time, because each sign of each of them is named. */
  static Stream<List<String>> someGpus(PodActivity pod) {
    return gpus(pod).stream().gather(Gatherers.windowFixed(GPUS_OF_A_VECTOR));
  }

  /** The pod's GPUs, and those that its instances are parts of. */
  private static Set<String> gpus(PodActivity pod) {
    return pod.devices().stream()
        .map(DeviceActivity::device)
        .map(Entity::gpu)
        .map(gpu -> gpu.value())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** By every sign that there is, in percent. */
  private static String utilization(Collection<String> gpus, String uuid) {
    List<String> labels = List.of(uuid, Labels.GPU_INSTANCE_ID);
    return Promql.kind(
        UTILIZATION, Sign.activity(ActivitySign.ALL, Promql.oneOf(uuid, gpus), labels, "2m"));
  }

  private static String recorded(String matcher) {
    String in = "{" + matcher + "}";
    String lastActive = LedgerMetrics.LAST_ACTIVE + in;
    String busy = LedgerMetrics.BUSY + in;
    String until = "timestamp(" + LedgerMetrics.OBSERVED_UNTIL + in + ")";
    // The smallest first: each "or" goes through all that stands left of it.
    return Stream.of(
            torn(lastActive, until),
            torn(LedgerMetrics.OBSERVED_SINCE + in, until),
            torn(busy, until),
            Promql.kind(NEVER_ACTIVE, "(" + busy + " == 0 unless " + lastActive + ")"),
            Promql.kind(SAMPLED_AT, until),
            Promql.select(LEDGER, matcher))
        .collect(Collectors.joining(" or "));
  }

  /** Nothing, unless samples were lost on the way: a scrape brings all marks or none. */
  private static String torn(String mark, String until) {
    return Promql.kind(TORN, "(timestamp(" + mark + ") != " + until + ")");
  }
}
