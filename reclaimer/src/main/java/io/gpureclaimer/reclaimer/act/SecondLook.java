package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Recognition;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks again at one workload, seconds before the act: the pod and its namespace as the API server
 * has them now, the agents' records as they are now, and the raw utilization besides. Only the same
 * verdict about the same idle period confirms.
 */
public final class SecondLook {
  /** A process that is stopped and goes on knows nothing of what has happened meanwhile. */
  private static final Duration LONGEST_RELIED_ON = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final ActivitySource source;
  private final Judge judge;
  private final Clock clock;

  public SecondLook(Cluster cluster, ActivitySource source, Judge judge, Clock clock) {
    this.cluster = cluster;
    this.source = source;
    this.judge = judge;
    this.clock = clock;
  }

  /** What the second look says. */
  sealed interface Outcome {

    /** What was judged; nothing where there was no pod to judge. */
    Optional<LookAgain> look();

    /** The same as the first; its pod is the one to act on. */
    record Confirmed(LookAgain again) implements Outcome {
      @Override
      public Optional<LookAgain> look() {
        return Optional.of(again);
      }
    }

    /** Something else. */
    record Refuted(String why, Optional<LookAgain> look) implements Outcome {}

    private static Outcome gone(String why) {
      return new Refuted(why, Optional.empty());
    }
  }

  Outcome at(Verdict.Due due, Observation.Seen seen) {
    Optional<PodActivity> earlier = seen.pod(due.pod().ref().uid());
    if (earlier.isEmpty()) {
      throw new IllegalArgumentException(due.workload() + " is due, and nobody has seen it");
    }
    Optional<PodView> pod = cluster.fresh(due.pod().ref());
    if (pod.isEmpty()) {
      return Outcome.gone("the pod is gone or was replaced");
    }
    Optional<NamespaceView> namespace = cluster.freshNamespace(due.pod().ref().namespace());
    if (namespace.isEmpty()) {
      return Outcome.gone("its namespace is gone");
    }
    Observation again = again(pod.get(), earlier.get());
    // The watch may lag behind the answer of before, or be ahead of it: both have to agree.
    return switch (judge(due, pod.get(), only(namespace.get()), again)) {
      case Outcome.Confirmed _ -> judge(due, pod.get(), cluster.look(), again);
      case Outcome.Refuted refuted -> refuted;
    };
  }

  /** Whether what it saw is still to be acted on; asked right before the act. */
  boolean isRecent(LookAgain look) {
    Duration age = Duration.between(look.now(), clock.instant()).abs();
    return age.compareTo(LONGEST_RELIED_ON) <= 0;
  }

  private Observation again(PodView pod, PodActivity earlier) {
    return switch (source.fetchPod(earlier).joined(Recognition.holders(List.of(pod)))) {
      case Observation.Blind blind -> blind;
      case Observation.Seen seen -> seen.remembering(earlier);
    };
  }

  private ClusterView only(NamespaceView namespace) {
    return new ClusterView(
        List.of(), Map.of(namespace.name(), namespace), List.of(), cluster.look().owners());
  }

  private Outcome judge(Verdict.Due due, PodView pod, ClusterView view, Observation again) {
    Instant now = clock.instant();
    Verdict verdict = judge.judgeAgain(pod, view, again, now).verdict();
    var look = new LookAgain(pod, view, again, now, verdict);
    return difference(due, verdict)
        .<Outcome>map(why -> new Outcome.Refuted(why, Optional.of(look)))
        .orElseGet(() -> new Outcome.Confirmed(look));
  }

  private static Optional<String> difference(Verdict.Due due, Verdict again) {
    if (!(again instanceof Verdict.Due now)) {
      return Optional.of(VerdictSentence.of(again));
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
