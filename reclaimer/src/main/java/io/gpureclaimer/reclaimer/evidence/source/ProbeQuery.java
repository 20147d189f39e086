package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The question what a Prometheus has: a few counts, however large it is. */
final class ProbeQuery {
  static final String LEDGER = "ledger";
  static final String RULES = "rules";
  static final String SIGN = "sign";
  static final String BARE = "bare";

  /** Series that name the exporter's own pod, as its target does. */
  static final String OWN = "own";

  /**
   * Of which clusters there are series without UIDs of pods; and clocks of the rules, if any of
   * them is without.
   */
  static final String CLUSTER = "cluster";

  static final String RULES_CLUSTER = "rules/cluster";

  /** The labels that clusters are usually told apart by, where one Prometheus tells of several. */
  static final List<String> CLUSTERS =
      List.of("cluster", "cluster_name", "cluster_id", "k8s_cluster", "k8s_cluster_name");

  private static final String WITHOUT_UID = "pod_uid=\"\",exported_pod_uid=\"\"";

  private static final String UP = "on (job, instance, namespace, pod) up";
  private static final String NAMED = "pod!=\"\",exported_pod=\"\"";

  private ProbeQuery() {}

  static String text() {
    return Stream.of(
            count(LEDGER, Promql.select(List.of(LedgerMetrics.OBSERVED_UNTIL), "")),
            count(RULES, rules("")),
            Promql.kind(SIGN, "count by (__name__) (" + Promql.select(allSigns(), "") + ")"),
            plain(""),
            plain("pod_uid!=\"\""),
            count(OWN, base(NAMED) + " and " + UP),
            count(kind(PodLabels.Style.EXPORTED, ""), base("exported_pod!=\"\"")),
            count(
                kind(PodLabels.Style.EXPORTED, "pod_uid"),
                base("exported_pod!=\"\",pod_uid!=\"\",exported_pod_uid=\"\"")),
            count(
                kind(PodLabels.Style.EXPORTED, "exported_pod_uid"),
                base("exported_pod!=\"\",exported_pod_uid!=\"\"")),
            count(kind(PodLabels.Style.OLD, ""), base("pod_name!=\"\"")),
            count(kind(PodLabels.Style.OLD, "pod_uid"), base("pod_name!=\"\",pod_uid!=\"\"")),
            count(BARE, base("pod=\"\",exported_pod=\"\",pod_name=\"\"")),
            clusters(CLUSTER, base(WITHOUT_UID)),
            clusters(RULES_CLUSTER, rules("")) + " and on () count(" + rules(WITHOUT_UID) + ")")
        .collect(Collectors.joining(" or "));
  }

  /** The labels that the answer is read by. */
  static Set<String> labels() {
    Set<String> labels = new HashSet<>(CLUSTERS);
    labels.addAll(List.of(Sorting.NAME, Promql.KIND));
    return labels;
  }

  /** How the count of series of that style is marked, all or those with a UID under that label. */
  static String kind(PodLabels.Style style, String uid) {
    return style.code() + (uid.isEmpty() ? "" : "/" + uid);
  }

  private static String plain(String uid) {
    return count(
        kind(PodLabels.Style.PLAIN, uid.isEmpty() ? "" : "pod_uid"),
        base(uid.isEmpty() ? NAMED : NAMED + "," + uid) + " unless " + UP);
  }

  private static String count(String kind, String vector) {
    return Promql.kind(kind, "count(" + vector + ")");
  }

  private static String clusters(String kind, String vector) {
    return Promql.kind(kind, Promql.by("count", CLUSTERS, vector));
  }

  private static String rules(String matchers) {
    return Promql.select(List.of(RuleSamples.SAMPLED), matchers);
  }

  private static String base(String matchers) {
    return Promql.select(ActivitySign.BASE, matchers);
  }

  private static List<String> allSigns() {
    return ActivitySign.ALL.stream().map(ActivitySign::metric).toList();
  }
}
