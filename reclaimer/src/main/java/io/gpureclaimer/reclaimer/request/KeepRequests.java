package io.gpureclaimer.reclaimer.request;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.access.AccessControl;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.request.RequestReply.RequestOutcome;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps workloads for a while, as people request: writes {@code keep-until} on the top owner, or on
 * the pods of a workload without one. Safe for several threads.
 */
public final class KeepRequests {
  /** The longest time for which a page or a client may ask. */
  public static final Duration LONGEST = Duration.ofDays(7);

  private static final Logger log = LoggerFactory.getLogger(KeepRequests.class);
  private static final String PATH = FieldChange.annotation(Annotations.KEEP_UNTIL);

  private final Cluster cluster;
  private final AccessControl access;
  private final Clock clock;
  private final boolean dryRun;

  public KeepRequests(Cluster cluster, AccessControl access, Clock clock, boolean dryRun) {
    this.cluster = cluster;
    this.access = access;
    this.clock = clock;
    this.dryRun = dryRun;
  }

  /**
   * Keeps a workload, at most as long as its namespace honors it.
   *
   * @param judgedAt when the judgment was made
   */
  public RequestReply keep(Judgment judgment, Instant judgedAt, Duration duration, ApiUser person) {
    Workload workload = judgment.verdict().workload();
    for (ObjectRef object : objects(workload)) {
      if (!access.mayChange(person, object)) {
        return new RequestReply(
            RequestOutcome.FORBIDDEN, person.name() + " may not change " + object + ".");
      }
    }
    Optional<EffectivePolicy> policy = judgment.policy();
    if (policy.isEmpty()) {
      return new RequestReply(
          RequestOutcome.REFUSED,
          "The policy of " + workload + " is unknown, so nothing is reclaimed from it.");
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant last = lastHonored(judgment, policy.get(), judgedAt);
    if (!last.isAfter(now)) {
      return new RequestReply(RequestOutcome.REFUSED, notHonored(policy.get().maxKeep().value()));
    }
    Instant until = earlier(now.plus(duration), last);
    Optional<Instant> kept = keptUntil(policy.get(), last);
    if (kept.filter(known -> !known.isBefore(until)).isPresent()) {
      return new RequestReply(
          RequestOutcome.ACCEPTED, workload + " is kept until " + kept.get() + " already.");
    }
    return written(workload, until, person, isShorter(until, now.plus(duration), policy.get()));
  }

  /** Requests to keep it are honored until it has been idle for {@code max-keep}. */
  public static Instant lastHonored(Judgment judgment, EffectivePolicy policy, Instant judgedAt) {
    return policy
        .honoredUntil(judgment.verdict().idleTime().orElse(Duration.ZERO), judgedAt)
        .truncatedTo(ChronoUnit.SECONDS);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static String notHonored(Duration maxKeep) {
    return "Its namespace honors a request to keep a workload only while it has been idle for less"
        + " than "
        + Durations.format(maxKeep)
        + " (max-keep). Work on its GPUs ends the idle time; an administrator may raise the bound.";
  }

  private static String isShorter(Instant until, Instant requested, EffectivePolicy policy) {
    return until.isBefore(requested)
        ? " Its namespace honors no longer time: max-keep is "
            + Durations.format(policy.maxKeep().value())
            + " of idleness."
        : "";
  }

  /** A request of the workload itself counts only as long as it is honored. */
  private static Optional<Instant> keptUntil(EffectivePolicy policy, Instant last) {
    return policy.keeps().stream()
        .map(EffectivePolicy.Setting::value)
        .map(keep -> keep.atMost().isPresent() ? earlier(keep.until(), last) : keep.until())
        .max(Instant::compareTo);
  }

  private RequestReply written(
      Workload workload, Instant until, ApiUser person, String restriction) {
    if (dryRun) {
      return new RequestReply(RequestOutcome.REFUSED, "Nothing is written in a dry run.");
    }
    log.info("keep requested, workload {}: user={}, until={}", workload, person.name(), until);
    for (ObjectRef object : objects(workload)) {
      ActionResult result = write(workload, object, until);
      if (result instanceof ActionResult.Skipped) {
        result = write(workload, object, until);
      }
      if (!(result instanceof ActionResult.Done)) {
        log.warn("keep not written, {}: {}", object, why(result));
        return new RequestReply(
            result instanceof ActionResult.Skipped ? RequestOutcome.GONE : RequestOutcome.FAILED,
            object
                + " was not changed: "
                + why(result)
                + ". To keep it: "
                + command(object, until));
      }
      cluster.recordEvent(
          object,
          new Notice(
              "GPUKeepRequested",
              person.name() + " requested that its GPUs are kept until " + until + ".",
              false));
    }
    return new RequestReply(
        RequestOutcome.ACCEPTED, workload + " is kept until " + until + "." + restriction);
  }

  private static List<ObjectRef> objects(Workload workload) {
    return workload
        .topOwner()
        .map(owner -> List.of(owner.ref()))
        .orElseGet(() -> workload.allPods().stream().map(pod -> ObjectRef.of(pod.ref())).toList());
  }

  private ActionResult write(Workload workload, ObjectRef object, Instant until) {
    return workload.topOwner().isPresent()
        ? writeOnOwner(object, until)
        : writeOnPod(workload, object, until);
  }

  private ActionResult writeOnOwner(ObjectRef object, Instant until) {
    Optional<OwnerView.OwnerDetails> fresh =
        cluster.freshObject(object, Set.of(PATH)).flatMap(OwnerView::details);
    if (fresh.isEmpty()) {
      return ActionResult.gone(object);
    }
    return cluster.change(
        List.of(
            new FieldChange(
                object, PATH, fresh.get().field(PATH), Optional.of("\"" + until + "\""))),
        fresh.get().resourceVersion(),
        false);
  }

  private ActionResult writeOnPod(Workload workload, ObjectRef object, Instant until) {
    Optional<PodView> fresh =
        workload.allPods().stream()
            .map(PodView::ref)
            .filter(ref -> ObjectRef.of(ref).equals(object))
            .findFirst()
            .flatMap(cluster::fresh);
    return fresh
        .map(
            pod ->
                cluster.annotate(
                    pod, Map.of(Annotations.KEEP_UNTIL, Optional.of(until.toString()))))
        .orElseGet(ActionResult::podGone);
  }

  private static String command(ObjectRef object, Instant until) {
    return "kubectl annotate "
        + object.kind().toLowerCase(Locale.ROOT)
        + (object.group().isEmpty() ? "" : "." + object.group())
        + " "
        + object.name()
        + " --namespace "
        + object.namespace()
        + " --overwrite "
        + Annotations.KEEP_UNTIL
        + "="
        + until;
  }

  static String why(ActionResult result) {
    return switch (result) {
      case ActionResult.Skipped(String why) -> why;
      case ActionResult.Blocked(_, String why) -> why;
      case ActionResult.Awaiting(String why) -> why;
      case ActionResult.Failed(String why) -> why;
      case ActionResult.Done _, ActionResult.DryRun _, ActionResult.NotLeading _ -> result.code();
    };
  }
}
