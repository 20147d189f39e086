package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.policy.CheckpointTargets;
import io.gpureclaimer.reclaimer.policy.CheckpointUrl;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Warning;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls checkpoint hooks of workloads before an action. The calls run by the side, so that no cycle
 * waits for them. Confined to the thread of the cycle. Lost with the process, after which a hook is
 * called again.
 *
 * <p>An answer counts until the workload works again. What it did for the checkpoint may take its
 * warning back; when it is due the next time, its hook is not called again, because no work but
 * that of the checkpoint was seen since.
 */
public final class Checkpoints {
  private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

  /** For so long the signals of work, the longest of 15 minutes, still show a checkpoint. */
  private static final Duration FADES_WITHIN = Duration.ofMinutes(20);

  /** For so long after the answer the work of a GPU is that of the checkpoint. */
  private static final Duration GPU_RESTS_WITHIN = Duration.ofMinutes(1);

  private static final Duration REMEMBERED_FOR = Duration.ofDays(31);
  private static final int MOST_HOOKS = 10;

  private final CheckpointTargets targets;
  private final CheckpointLimits limits;
  private final HookCaller caller;
  private final Clock clock;
  private final Map<String, Attempt> attempts = new HashMap<>();

  /**
   * @param targets which hooks may be called; a dry run calls none
   */
  public Checkpoints(
      CheckpointTargets targets, CheckpointLimits limits, HookCaller caller, Clock clock) {
    this.targets = targets;
    this.limits = limits;
    this.caller = caller;
    this.clock = clock;
  }

  /**
   * How long workloads are waited for.
   *
   * @param timeout of one call
   * @param attempts after which a workload is acted on without a checkpoint
   */
  public record CheckpointLimits(Duration timeout, int attempts) {}

  /** Calls hooks, each on a thread of its own. */
  @FunctionalInterface
  public interface HookCaller {
    /** Begins a call; it ends by itself. */
    Future<HookReply> call(CheckpointUrl url, HookRequest request);
  }

  /**
   * Body of the request to a hook.
   *
   * @param actNotBefore as the warning promised
   * @param gracePeriod after which processes are killed, the shortest of its pods
   * @param timeout within which the answer must come
   */
  public record HookRequest(
      String actionId,
      String action,
      String namespace,
      String kind,
      String name,
      List<String> pods,
      String actNotBefore,
      Optional<Duration> gracePeriod,
      Duration timeout) {
    public HookRequest {
      pods = List.copyOf(pods);
    }
  }

  /**
   * What a hook answered.
   *
   * @param at by our clock
   * @param problem why it is no confirmation; empty if it is one
   */
  public record HookReply(Instant at, Optional<String> problem) {}

  /** Status of the checkpoint of a workload. */
  sealed interface CheckpointStatus {

    /**
     * The action may follow.
     *
     * @param note for people, what the hook answered; empty where there is none
     */
    record Ready(Optional<String> note) implements CheckpointStatus {}

    /** The hook is being called. */
    record Running() implements CheckpointStatus {}

    /** The hook did not confirm, and is called again later. */
    record Unconfirmed(String why) implements CheckpointStatus {}
  }

  /**
   * One attempt to get a checkpoint.
   *
   * @param workload with the pods that were asked
   * @param number of this one, from 1
   * @param reported whether the workload was postponed because of its failure
   */
  private record Attempt(
      Workload workload,
      int number,
      Instant begun,
      List<Future<HookReply>> calls,
      Optional<HookReply> outcome,
      boolean reported) {
    Attempt {
      calls = List.copyOf(calls);
    }

    Attempt with(HookReply reply) {
      return new Attempt(workload, number, begun, calls, Optional.of(reply), reported);
    }

    Attempt asReported() {
      return new Attempt(workload, number, begun, calls, outcome, true);
    }

    /** Whether the answer is about these pods. */
    boolean covers(Workload now) {
      Set<String> asked =
          workload.pods().stream().map(PodView::ref).map(PodRef::uid).collect(Collectors.toSet());
      return now.pods().stream().allMatch(pod -> asked.contains(pod.ref().uid()));
    }

    boolean isConfirmed() {
      return outcome.filter(reply -> reply.problem().isEmpty()).isPresent();
    }
  }

  /** Takes the answers that have come, before any of them decides about a plan. */
  void collect() {
    attempts.replaceAll(
        (_, attempt) -> attempt.outcome().isPresent() ? attempt : withAnswer(attempt));
  }

  private Attempt withAnswer(Attempt attempt) {
    Optional<HookReply> answer = answer(attempt);
    answer.ifPresent(
        reply ->
            log.info(
                "checkpoint of {} {}",
                attempt.workload(),
                reply.problem().map(why -> "not confirmed: " + why).orElse("confirmed")));
    return answer.map(attempt::with).orElse(attempt);
  }

  /** The answer of all hooks of a workload: a failure if one of them failed. */
  private Optional<HookReply> answer(Attempt attempt) {
    Instant end = attempt.begun().plus(limits.timeout());
    if (attempt.calls().stream().allMatch(Future::isDone)) {
      return attempt.calls().stream()
          .map(call -> reply(call, end))
          .max(
              Comparator.comparing((HookReply reply) -> reply.problem().isPresent())
                  .thenComparing(HookReply::at));
    }
    if (clock.instant().isBefore(end)) {
      return Optional.empty();
    }
    attempt.calls().forEach(call -> call.cancel(true));
    return Optional.of(
        new HookReply(end, Optional.of("no answer within " + limits.timeout().toSeconds() + " s")));
  }

  private static HookReply reply(Future<HookReply> call, Instant end) {
    if (call.state() == Future.State.SUCCESS) {
      return call.resultNow();
    }
    log.error("call of a checkpoint hook failed unexpectedly", call.exceptionNow());
    return new HookReply(end, Optional.of("the call failed"));
  }

  /** Whether a checkpoint that is not there yet holds the action up. */
  boolean holdUp(Verdict.Due due) {
    Optional<Attempt> last = last(due, due.workload());
    return !targets.hooksOf(due.workload()).isEmpty() && last.filter(this::isOver).isEmpty();
  }

  private boolean isOver(Attempt attempt) {
    return attempt.isConfirmed()
        || (attempt.outcome().isPresent() && attempt.number() >= limits.attempts());
  }

  /** The last attempt, unless the workload has worked since, or has other pods. */
  private Optional<Attempt> last(Verdict.Due due, Workload workload) {
    return Optional.ofNullable(attempts.get(workload.uid()))
        .filter(attempt -> attempt.covers(workload))
        .filter(
            attempt ->
                attempt
                    .outcome()
                    .filter(reply -> due.idleSince().isAfter(reply.at().plus(FADES_WITHIN)))
                    .isEmpty());
  }

  /**
   * Asks for a checkpoint, if the workload has a hook that was not called yet.
   *
   * @param recheck of the workload, a moment ago
   */
  CheckpointStatus request(Step.Act act, Recheck recheck) {
    Workload fresh = recheck.verdict().workload();
    List<CheckpointUrl> hooks = targets.hooksOf(fresh);
    if (hooks.isEmpty()) {
      return new CheckpointStatus.Ready(Optional.empty());
    }
    Optional<Attempt> last =
        last(act.verdict(), fresh)
            .filter(attempt -> attempt.outcome().filter(reply -> isWork(recheck, reply)).isEmpty());
    if (last.filter(this::isOver).isPresent()) {
      return new CheckpointStatus.Ready(Optional.of(note(last.get())));
    }
    Optional<String> problem =
        last.filter(attempt -> !attempt.reported())
            .flatMap(Attempt::outcome)
            .flatMap(HookReply::problem);
    if (problem.isPresent()) {
      attempts.computeIfPresent(fresh.uid(), (_, attempt) -> attempt.asReported());
      return new CheckpointStatus.Unconfirmed(
          "its checkpoint hook did not confirm: " + problem.get());
    }
    if (last.isEmpty() || last.get().outcome().isPresent()) {
      begin(act, fresh, hooks, last.map(Attempt::number).orElse(0) + 1);
    }
    return new CheckpointStatus.Running();
  }

  /** Whether a GPU of the workload has worked later than for a checkpoint. */
  private static boolean isWork(Recheck recheck, HookReply reply) {
    Instant rests = reply.at().plus(GPU_RESTS_WITHIN);
    return recheck.observation() instanceof Observation.Seen seen
        && seen.pods().values().stream()
            .flatMap(pod -> pod.devices().stream())
            .flatMap(device -> device.lastActive().stream())
            .anyMatch(rests::isBefore);
  }

  private String note(Attempt attempt) {
    HookReply reply = attempt.outcome().orElseThrow();
    return reply
        .problem()
        .map(
            why ->
                "no checkpoint was confirmed in " + attempt.number() + " calls of its hook: " + why)
        .orElseGet(
            () -> "its checkpoint hook confirmed at " + reply.at().truncatedTo(ChronoUnit.SECONDS));
  }

  private void begin(Step.Act act, Workload workload, List<CheckpointUrl> hooks, int number) {
    Instant now = clock.instant();
    attempts.values().removeIf(old -> old.begun().plus(REMEMBERED_FOR).isBefore(now));
    HookRequest request = request(act, workload, limits.timeout());
    List<Future<HookReply>> calls =
        hooks.size() <= MOST_HOOKS
            ? hooks.stream().map(url -> caller.call(url, request)).toList()
            : List.of(CompletableFuture.completedFuture(tooMany(hooks, now)));
    log.info(
        "checkpoint of {} requested, action {}, attempt {} of {}: {}",
        workload,
        request.actionId(),
        number,
        limits.attempts(),
        hooks);
    attempts.put(
        workload.uid(), new Attempt(workload, number, now, calls, Optional.empty(), false));
  }

  private static HookReply tooMany(List<CheckpointUrl> hooks, Instant now) {
    return new HookReply(
        now,
        Optional.of("its pods name " + hooks.size() + " hooks, expected at most " + MOST_HOOKS));
  }

  private static HookRequest request(Step.Act act, Workload workload, Duration timeout) {
    return new HookRequest(
        act.actionId().orElseThrow().value(),
        act.action().name(),
        workload.namespace(),
        workload.kind(),
        workload.name(),
        workload.pods().stream().map(PodView::ref).map(PodRef::name).toList(),
        Warning.actNotBeforeAsWritten(act.verdict()),
        workload.pods().stream()
            .flatMap(pod -> pod.gracePeriod().stream())
            .min(Comparator.naturalOrder()),
        timeout);
  }

  void forget(Verdict verdict) {
    attempts.remove(verdict.workload().uid());
  }
}
