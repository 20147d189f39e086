package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.client.Excerpt;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import io.gpureclaimer.reclaimer.evidence.source.PodLabels.Style;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a Prometheus was found to have. Confined to the thread of the answer. */
final class Probe {
  private final Map<String, Long> counts = new TreeMap<>();
  private final Set<String> signs = new TreeSet<>();
  private final Map<Instant, Set<String>> clusters = new TreeMap<>();
  private final Map<Instant, Set<String>> clustersOfRules = new TreeMap<>();

  /** What follows from it. */
  sealed interface Outcome {

    /** The evidence is there in this form. */
    record Found(Form form) implements Outcome {}

    /** There is no evidence in any form. */
    record Nothing() implements Outcome {}

    /**
     * There is some, and it cannot be told for sure which pod is meant.
     *
     * @param why what was expected, what was found, and what would help
     */
    record Unsure(String why) implements Outcome {}
  }

  /** Takes one count. */
  void accept(VectorSample sample) {
    String kind = sample.labels().get(Promql.KIND);
    switch (kind) {
      case null -> {}
      case ProbeQuery.SIGN ->
          Optional.ofNullable(sample.labels().get(Sorting.NAME)).ifPresent(signs::add);
      case ProbeQuery.CLUSTER -> add(sample, clusters);
      case ProbeQuery.RULES_CLUSTER -> add(sample, clustersOfRules);
      default -> counts.merge(kind, Math.round(sample.value()), Math::max);
    }
  }

  private static void add(VectorSample sample, Map<Instant, Set<String>> clusters) {
    clusters.computeIfAbsent(sample.at(), _ -> new TreeSet<>()).add(cluster(sample));
  }

  private static String cluster(VectorSample sample) {
    return ProbeQuery.CLUSTERS.stream()
        .filter(label -> !sample.labels().getOrDefault(label, "").isEmpty())
        .map(label -> label + "=" + sample.labels().get(label))
        .collect(Collectors.collectingAndThen(Collectors.joining(","), Probe::orNone));
  }

  private static String orNone(String cluster) {
    return cluster.isEmpty() ? "no label of one" : cluster;
  }

  /**
   * What follows.
   *
   * @param wanted the only form that may follow
   * @param style the only style that may follow
   */
  Outcome outcome(Optional<String> wanted, Optional<Style> style) {
    if (may(wanted, "ledger") && has(ProbeQuery.LEDGER)) {
      return new Outcome.Found(new Form.Ledger());
    }
    if (may(wanted, "rules") && has(ProbeQuery.RULES)) {
      return ofOneCluster(clustersOfRules, new Form.Rules());
    }
    return may(wanted, "series") ? series(style) : new Outcome.Nothing();
  }

  private Outcome series(Optional<Style> wanted) {
    List<Style> there =
        Stream.of(Style.values())
            .filter(style -> wanted.isEmpty() || wanted.get() == style)
            .filter(style -> has(ProbeQuery.kind(style, "")))
            .toList();
    if (there.size() > 1) {
      return severalForms("series that name pods in several ways");
    }
    if (there.isEmpty()) {
      // While no pod holds a GPU, series that name none are all there can be.
      return new Outcome.Nothing();
    }
    return of(there.getFirst());
  }

  private Outcome of(Style style) {
    long all = count(ProbeQuery.kind(style, ""));
    List<String> uids =
        Stream.of("exported_pod_uid", "pod_uid")
            .filter(uid -> has(ProbeQuery.kind(style, uid)))
            .toList();
    if (uids.size() > 1
        || (uids.size() == 1 && count(ProbeQuery.kind(style, uids.getFirst())) != all)) {
      return severalForms("series of which only some tell the pod's UID");
    }
    List<ActivitySign> known =
        ActivitySign.ALL.stream().filter(sign -> signs.contains(sign.metric())).toList();
    var form = new Form.Series(new PodLabels(style, uids.stream().findFirst()), known);
    return uids.isEmpty() ? ofOneCluster(clusters, form) : new Outcome.Found(form);
  }

  /** Without a UID, a pod of the same name in another cluster would be taken for ours. */
  private static Outcome ofOneCluster(Map<Instant, Set<String>> clusters, Form form) {
    return clusters.values().stream()
        .filter(atOnce -> atOnce.size() > 1)
        .findFirst()
        .<Outcome>map(several -> new Outcome.Unsure(severalClusters(several)))
        .orElseGet(() -> new Outcome.Found(form));
  }

  private static String severalClusters(Set<String> clusters) {
    return "expected series of one cluster, for they tell no UIDs of pods, found "
        + Excerpt.of(String.join(" and ", clusters))
        + "; ask a Prometheus or a tenant that knows this cluster alone, ask through"
        + " prom-label-proxy, or have the exporters tell the UIDs";
  }

  private Outcome severalForms(String found) {
    return new Outcome.Unsure(
        "expected one form of evidence, found "
            + found
            + ": "
            + counted()
            + "; prometheus.form and prometheus.labels say what to go by");
  }

  private static boolean may(Optional<String> wanted, String form) {
    return wanted.isEmpty() || wanted.get().equals(form);
  }

  private boolean has(String kind) {
    return count(kind) > 0;
  }

  private long count(String kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** The highest of the counts, or none. */
  long largest() {
    return counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** What was found, for people. */
  String counted() {
    return counts + " of " + signs;
  }
}
