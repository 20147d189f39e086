package io.gpureclaimer.reclaimer.evidence.series;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames.PodLabelStyle;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Detector of the series format. Its clocks last as long as it does, whatever it detects. Safe for
 * any thread.
 */
public final class SeriesDetector implements EvidenceFormat.Detector {
  private static final String NAMED = "pod!=\"\",exported_pod=\"\"";

  /** Series that name the exporter's own pod, as its target does. */
  private static final String UP = "on (job, instance, namespace, pod) up";

  private final ActivityClockStore clocks = new ActivityClockStore();

  @Override
  public String code() {
    return SeriesFormat.CODE;
  }

  @Override
  public Optional<EvidenceFormat> undetected() {
    return Optional.empty();
  }

  @Override
  public List<String> queries() {
    return List.of(
        ProbeResult.metrics(ActivitySign.ALL.stream().map(ActivitySign::metric).toList()),
        ProbeResult.count(kind(PodLabelStyle.PLAIN, ""), base(NAMED) + " unless " + UP),
        ProbeResult.count(
            kind(PodLabelStyle.PLAIN, "pod_uid"), base(NAMED + ",pod_uid!=\"\"") + " unless " + UP),
        ProbeResult.count("own", base(NAMED) + " and " + UP),
        ProbeResult.count(kind(PodLabelStyle.EXPORTED, ""), base("exported_pod!=\"\"")),
        ProbeResult.count(
            kind(PodLabelStyle.EXPORTED, "pod_uid"),
            base("exported_pod!=\"\",pod_uid!=\"\",exported_pod_uid=\"\"")),
        ProbeResult.count(
            kind(PodLabelStyle.EXPORTED, "exported_pod_uid"),
            base("exported_pod!=\"\",exported_pod_uid!=\"\"")),
        ProbeResult.count(kind(PodLabelStyle.OLD, ""), base("pod_name!=\"\"")),
        ProbeResult.count(kind(PodLabelStyle.OLD, "pod_uid"), base("pod_name!=\"\",pod_uid!=\"\"")),
        ProbeResult.count("bare", base("pod=\"\",exported_pod=\"\",pod_name=\"\"")),
        ProbeResult.clusters("", base(PodLabelNames.WITHOUT_UID)));
  }

  /** The kind of the count of series of a style: all, or those with a UID under that label. */
  private static String kind(PodLabelStyle style, String uid) {
    return style.code() + (uid.isEmpty() ? "" : "/" + uid);
  }

  private static String base(String matchers) {
    return PromQl.select(ActivitySign.BASE, matchers);
  }

  @Override
  public Detection detect(ProbeResult found, Optional<PodLabelStyle> wanted) {
    List<PodLabelStyle> styles =
        Stream.of(PodLabelStyle.values())
            .filter(style -> wanted.isEmpty() || wanted.get() == style)
            .filter(style -> found.count(kind(style, "")) > 0)
            .toList();
    return switch (styles.size()) {
      // While no pod holds a GPU, series that name none are all there can be.
      case 0 -> new Detection.Absent();
      case 1 -> ofStyle(styles.getFirst(), found);
      default -> ambiguous("series that name pods in several ways", found);
    };
  }

  private Detection ofStyle(PodLabelStyle style, ProbeResult found) {
    List<String> uids =
        Stream.of("exported_pod_uid", "pod_uid")
            .filter(uid -> found.count(kind(style, uid)) > 0)
            .toList();
    if (uids.size() > 1
        || (uids.size() == 1
            && found.count(kind(style, uids.getFirst())) != found.count(kind(style, "")))) {
      return ambiguous("series of which only some have the pod's UID", found);
    }
    List<ActivitySign> signs =
        ActivitySign.ALL.stream().filter(sign -> found.has(sign.metric())).toList();
    var format =
        new SeriesFormat(new PodLabelNames(style, uids.stream().findFirst()), signs, clocks);
    return uids.isEmpty() ? found.ofOneCluster("", format) : new Detection.Found(format);
  }

  private static Detection ambiguous(String what, ProbeResult found) {
    return new Detection.Ambiguous(
        "expected one form of evidence, found "
            + what
            + ": "
            + found.text()
            + "; prometheus.form and prometheus.labels choose one");
  }
}
