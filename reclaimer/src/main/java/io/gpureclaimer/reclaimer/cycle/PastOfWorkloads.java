package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.IdlePast;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.OwnPast;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.PodNames;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What idle workloads did in the last days, read at most once an hour, of those that are idle then.
 * A failed query is not repeated before. Confined to the thread of the cycle.
 */
final class PastOfWorkloads {
  /** Time between two queries. */
  static final Duration EVERY = Duration.ofHours(1);

  static final Duration STEP = Duration.ofMinutes(10);

  /** Characters of the patterns in one query; all of them are in it twice. */
  private static final int LONGEST_PATTERNS = 7_000;

  private static final String NOT_READ_YET =
      "it was not idle when history was read last, which is once an hour";
  private static final String LEFT_OUT = "history was read of the workloads idle for longest only";
  private static final String TOO_LONG = "the names of its pods are too long for one query";

  private final ActivitySource source;

  /** How far back it reads; zero for not at all. */
  private final Duration length;

  private Optional<Instant> readAt = Optional.empty();
  private Map<String, IdlePast> byWorkload = Map.of();

  /** Why nothing is known of a workload that was idle at the last query, by UID. */
  private Map<String, String> unread = Map.of();

  PastOfWorkloads(ActivitySource source, Duration length) {
    this.source = source;
    this.length = length;
  }

  /** The same judgments; each workload that is due has its past. */
  List<Judgment> addTo(List<Judgment> judgments, Instant now) {
    if (length.isZero() || judgments.stream().noneMatch(PastOfWorkloads::isDue)) {
      return judgments;
    }
    if (readAt.filter(at -> now.isBefore(at.plus(EVERY))).isEmpty()) {
      readAt = Optional.of(now);
      read(idle(judgments), now);
    }
    return judgments.stream().map(this::withPast).toList();
  }

  private static boolean isDue(Judgment judgment) {
    return judgment.verdict() instanceof Verdict.Due;
  }

  /** Due ones first, then those that have been idle for longest. */
  private static List<Workload> idle(List<Judgment> judgments) {
    return judgments.stream()
        .map(Judgment::verdict)
        .filter(PastOfWorkloads::mayBecomeDue)
        .sorted(
            Comparator.comparing((Verdict verdict) -> !(verdict instanceof Verdict.Due))
                .thenComparing(
                    verdict -> verdict.idleTime().orElse(Duration.ZERO), Comparator.reverseOrder())
                .thenComparing(verdict -> verdict.workload().uid()))
        .map(Verdict::workload)
        .toList();
  }

  private static boolean mayBecomeDue(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Due _, Verdict.Warned _ -> true;
      case Verdict.ToWarn warn -> warn.mode().acts();
      case Verdict.Watching watching ->
          watching.next() == Verdict.Next.WARNING && watching.remaining().compareTo(EVERY) < 0;
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Starting _,
          Verdict.Vetoed _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.Reported _,
          Verdict.Notified _,
          Verdict.ToWithdraw _ ->
          false;
    };
  }

  private void read(List<Workload> workloads, Instant now) {
    Map<String, List<PodNamePattern>> patterns = new LinkedHashMap<>();
    Map<String, String> unknown = new HashMap<>();
    workloads.forEach(each -> unknown.put(each.uid(), LEFT_OUT));
    int characters = 0;
    for (Workload workload : workloads) {
      List<PodNamePattern> own = patterns(workload);
      int more = own.stream().mapToInt(PodNamePattern::length).sum();
      if (more > LONGEST_PATTERNS) {
        unknown.put(workload.uid(), TOO_LONG);
      } else if (characters + more > LONGEST_PATTERNS) {
        break;
      } else {
        patterns.put(workload.uid(), own);
        characters += more;
      }
    }
    Map<String, IdlePast> known = new HashMap<>();
    if (!patterns.isEmpty()) {
      fetch(patterns, now, known, unknown);
    }
    byWorkload = Map.copyOf(known);
    unread = Map.copyOf(unknown);
  }

  private void fetch(
      Map<String, List<PodNamePattern>> patterns,
      Instant now,
      Map<String, IdlePast> known,
      Map<String, String> unknown) {
    var range = new TimeRange(now.minus(length), now, STEP).aligned();
    switch (source.fetchPast(patterns.values().stream().flatMap(List::stream).toList(), range)) {
      case PastActivity.Unknown(String reason) ->
          patterns.keySet().forEach(uid -> unknown.put(uid, reason));
      case PastActivity.Known past ->
          patterns.forEach(
              (uid, own) -> {
                unknown.remove(uid);
                known.put(uid, IdlePast.of(past.range(), podsOf(own, past)));
              });
    }
  }

  private static List<PodNamePattern> patterns(Workload workload) {
    String prefix = PodNames.prefix(workload);
    return PodNames.patterns(workload).stream()
        .map(pattern -> new PodNamePattern(workload.namespace(), prefix, Pattern.compile(pattern)))
        .toList();
  }

  private static List<PastPod> podsOf(List<PodNamePattern> patterns, PastActivity.Known past) {
    return past.pods().stream()
        .filter(pod -> PodNamePattern.anyMatches(patterns, pod.name()))
        .toList();
  }

  private Judgment withPast(Judgment judgment) {
    return judgment.verdict() instanceof Verdict.Due due
        ? judgment.with(due.with(pastOf(due)))
        : judgment;
  }

  private OwnPast pastOf(Verdict.Due due) {
    String uid = due.workload().uid();
    return Optional.ofNullable(byWorkload.get(uid))
        .<OwnPast>map(
            past ->
                new OwnPast.Counted(
                    past.after(due.idleFor()),
                    past.after(due.idleFor(), due.idleSince().plus(due.idleFor())),
                    length))
        .orElseGet(() -> new OwnPast.Unread(unread.getOrDefault(uid, NOT_READ_YET)));
  }
}
