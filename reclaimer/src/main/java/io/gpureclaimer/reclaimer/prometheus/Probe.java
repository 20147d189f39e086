package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.core.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.prometheus.PodLabels.Style;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a Prometheus was found to have. Confined to the thread of the answer. */
final class Probe {
  private final Map<String, Long> counts = new TreeMap<>();
  private final Set<String> signs = new TreeSet<>();

  /** What follows from it. */
  sealed interface Outcome {

    /** The evidence is there in this form. */
    record Found(Form form) implements Outcome {}

    /** There is no evidence in any form. */
    record Nothing() implements Outcome {}

    /** There is some, and it cannot be told for sure what it means. */
    record Unsure(String found) implements Outcome {}
  }

  /** Takes one count. */
  void accept(VectorSample sample) {
    String kind = sample.labels().get(Promql.KIND);
    if (ProbeQuery.SIGN.equals(kind)) {
      Optional.ofNullable(sample.labels().get(Sorting.NAME)).ifPresent(signs::add);
    } else if (kind != null) {
      counts.merge(kind, Math.round(sample.value()), Math::max);
    }
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
      return new Outcome.Found(new Form.Rules());
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
      return new Outcome.Unsure("series that name pods in several ways: " + counted());
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
      return new Outcome.Unsure("series of which only some tell the pod's UID: " + counted());
    }
    List<ActivitySign> known =
        ActivitySign.ALL.stream().filter(sign -> signs.contains(sign.metric())).toList();
    return new Outcome.Found(
        new Form.Series(new PodLabels(style, uids.stream().findFirst()), known));
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
