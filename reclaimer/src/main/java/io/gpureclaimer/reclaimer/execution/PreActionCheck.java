package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Check of one workload, seconds before the action: its pods and its namespace as the API server
 * has them now, the agents' records as they are now, and the raw utilization in addition. Only the
 * same verdict about the same idle period confirms.
 */
public final class PreActionCheck {
  /** A process that is stopped and resumed knows nothing of what has happened meanwhile. */
  private static final Duration LONGEST_RELIED_ON = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final ActivitySource source;
  private final Judge judge;
  private final Clock clock;

  public PreActionCheck(Cluster cluster, ActivitySource source, Judge judge, Clock clock) {
    this.cluster = cluster;
    this.source = source;
    this.judge = judge;
    this.clock = clock;
  }

  /**
   * One judgment right before an action, and its inputs.
   *
   * @param planned the workload as the plan has it
   * @param pods of the workload, as the API server has them
   * @param cluster what else it was judged by
   * @param observation of these pods alone
   * @param now our clock
   * @param verdict that came of it, on the workload as it is now
   */
  public record Recheck(
      Workload planned,
      List<PodView> pods,
      ClusterView cluster,
      Observation observation,
      Instant now,
      Verdict verdict) {
    public Recheck {
      pods = List.copyOf(pods);
    }
  }

  /** Outcome of the check. */
  sealed interface RecheckOutcome {

    /** What was judged; empty where there was no pod to judge. */
    Optional<Recheck> recheck();

    /** The same verdict as before, on the workload to act on. */
    record Confirmed(Recheck again) implements RecheckOutcome {
      @Override
      public Optional<Recheck> recheck() {
        return Optional.of(again);
      }
    }

    /** Another verdict. */
    record Refuted(String why, Optional<Recheck> recheck) implements RecheckOutcome {}

    private static RecheckOutcome gone(String why) {
      return new Refuted(why, Optional.empty());
    }
  }

  /**
   * Checks every pod of a due workload, and what the action would change of its owner.
   *
   * @throws IllegalArgumentException if a pod of the workload that has a node was not observed
   */
  RecheckOutcome check(Verdict.Due due, Observation.Seen seen) {
    Workload workload = due.workload();
    // A pod without a node holds nothing, and nothing can be observed of it.
    List<PodActivity> earlier =
        workload.pods().stream()
            .filter(pod -> !pod.awaitsGpus())
            .map(pod -> observed(pod, seen))
            .toList();
    List<PodView> pods =
        workload.allPods().stream().flatMap(pod -> cluster.fresh(pod.ref()).stream()).toList();
    if (pods.size() < workload.allPods().size()) {
      return RecheckOutcome.gone(
          workload.allPods().size() == 1
              ? "the pod is gone or was replaced"
              : "one of its pods is gone or was replaced");
    }
    Optional<NamespaceView> namespace = cluster.freshNamespace(workload.namespace());
    if (namespace.isEmpty()) {
      return RecheckOutcome.gone("its namespace is gone");
    }
    Map<String, OwnerView> fresh = new HashMap<>();
    try {
      if (due.action() instanceof Action.ChangeOwner change && !read(fresh, change, workload)) {
        return RecheckOutcome.gone("its owner is gone or was replaced");
      }
    } catch (ObjectUnreadable e) {
      return RecheckOutcome.gone("its owner cannot be read: " + e.getMessage());
    }
    Observation again = observeAgain(earlier, pods);
    // A look goes through the whole cluster, so there is one, after all that takes time.
    ClusterView watched = with(fresh, cluster.view());
    // The watch may be behind the fresh answers, or ahead of them: both have to agree.
    return switch (judge(due, pods, only(namespace.get(), watched), again)) {
      case RecheckOutcome.Confirmed _ -> judge(due, pods, watched, again);
      case RecheckOutcome.Refuted refuted -> refuted;
    };
  }

  private static PodActivity observed(PodView pod, Observation.Seen seen) {
    return seen.pod(pod.ref().uid())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "pod " + pod.ref() + " is due, and nothing was observed of it"));
  }

  /** Reads the owners that would be changed, as the API server has them now, by UID. */
  private boolean read(
      Map<String, OwnerView> owners, Action.ChangeOwner action, Workload workload) {
    for (FieldChange change : action.changes(workload, clock.instant())) {
      OwnerView known = workload.owners().get(change.object().uid());
      if (known == null) {
        continue;
      }
      Optional<OwnerView> now = cluster.freshObject(change.object(), action.fields(workload));
      if (now.isEmpty()) {
        return false;
      }
      Optional<List<Autoscaler>> autoscalers = known.details().flatMap(OwnerDetails::autoscalers);
      owners.put(change.object().uid(), now.get().scaledBy(autoscalers));
    }
    return true;
  }

  /** Whether the recheck can still be relied on; asked right before the action. */
  boolean isRecent(Recheck recheck) {
    Duration age = Duration.between(recheck.now(), clock.instant()).abs();
    return age.compareTo(LONGEST_RELIED_ON) <= 0;
  }

  /** One observation of each pod; all of them, or none. */
  private Observation observeAgain(List<PodActivity> earlier, List<PodView> pods) {
    Observation all = new Observation.Blind("no pod was observed");
    for (PodActivity pod : earlier) {
      Observation one = source.fetchPod(pod).joined(Judge.identities(pods));
      if (!(one instanceof Observation.Seen seen)) {
        return one;
      }
      Observation.Seen known = seen.remembering(pod);
      all = all instanceof Observation.Seen others ? others.and(known) : known;
    }
    return all;
  }

  private static ClusterView only(NamespaceView namespace, ClusterView watched) {
    return new ClusterView(
        List.of(),
        Map.of(namespace.name(), namespace),
        List.of(),
        watched.owners(),
        watched.records());
  }

  private static ClusterView with(Map<String, OwnerView> fresh, ClusterView view) {
    if (view.owners().entrySet().containsAll(fresh.entrySet())) {
      return view;
    }
    Map<String, OwnerView> owners = new HashMap<>(view.owners());
    fresh.forEach(owners::replace);
    return new ClusterView(view.pods(), view.namespaces(), view.nodes(), owners, view.records());
  }

  private RecheckOutcome judge(
      Verdict.Due due, List<PodView> pods, ClusterView view, Observation again) {
    Instant now = clock.instant();
    Verdict verdict = judge.judgeAgain(pods, view, again, now).verdict();
    var recheck = new Recheck(due.workload(), pods, view, again, now, verdict);
    return difference(due, verdict)
        .<RecheckOutcome>map(why -> new RecheckOutcome.Refuted(why, Optional.of(recheck)))
        .orElseGet(() -> new RecheckOutcome.Confirmed(recheck));
  }

  /** What the fields of the owner hold that the action would change: more replicas are at work. */
  private static List<Optional<String>> formerValues(Verdict.Due due) {
    return due.action() instanceof Action.ChangeOwner change
        ? change.changes(due.workload(), due.idleSince()).stream().map(FieldChange::former).toList()
        : List.of();
  }

  private static Optional<String> difference(Verdict.Due due, Verdict again) {
    if (!(again instanceof Verdict.Due now)) {
      return Optional.of(VerdictSentence.of(again));
    }
    if (!now.workload().uid().equals(due.workload().uid())) {
      return Optional.of("its pods belong to " + now.workload() + " now");
    }
    if (!now.workload().share().equals(due.workload().share())) {
      return Optional.of("other replicas of it are idle now");
    }
    if (!now.action().equals(due.action())) {
      return Optional.of("the action changed to " + now.action().name());
    }
    if (!formerValues(now).equals(formerValues(due))) {
      return Optional.of("its owner was changed");
    }
    if (!now.idleSince().equals(due.idleSince())) {
      return Optional.of(
          "another idle period began at " + now.idleSince().truncatedTo(ChronoUnit.SECONDS));
    }
    return now.mode() == due.mode()
        ? Optional.empty()
        : Optional.of("the mode changed to " + now.mode().text());
  }
}
