package io.gpureclaimer.reclaimer.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that holds or wants GPUs.
 *
 * @param resourceVersion the version this view was made of
 * @param terminating whether it is being deleted
 * @param accelerators what its specification requests
 * @param owner the controller that would recreate it
 * @param annotations its annotations, without kubectl's copy of the manifest
 * @param untouchable why no policy may touch it, for example that it is a static pod
 * @param waiting present while the scheduler finds no node
 * @param startedAt when the last of its containers started, by the node's clock; a container that
 *     was restarted starts again
 * @param readyAt since when it is ready; absent while it is not
 * @param startup from when it got its node until it was ready; absent if that is not known
 * @param budgets the PodDisruptionBudgets that select it; empty while they cannot be read
 * @param gracePeriod between the request to end and the end of its processes; absent if unknown
 * @param requests what its node reserves for it beside accelerators, by resource name, in
 *     thousandths
 */
public record PodView(
    PodRef ref,
    String resourceVersion,
    PodPhase phase,
    boolean terminating,
    Optional<String> node,
    Accelerators accelerators,
    Optional<Owner> owner,
    Map<String, String> annotations,
    int priority,
    Optional<String> untouchable,
    Optional<Waiting> waiting,
    Placement placement,
    Optional<Instant> startedAt,
    Optional<Instant> readyAt,
    Optional<Duration> startup,
    PodTraits traits,
    Optional<List<BudgetView>> budgets,
    Optional<Duration> gracePeriod,
    Map<String, Long> requests) {

  public PodView {
    annotations = Map.copyOf(annotations);
    budgets = budgets.map(List::copyOf);
    requests = Map.copyOf(requests);
  }

  /**
   * The same pod, with the facts of its node.
   *
   * @param held what it really holds
   * @param offLimits why it must not be touched, unless it says so itself
   */
  public PodView onNode(Accelerators held, Optional<String> offLimits) {
    return with(held, annotations, untouchable.or(() -> offLimits), budgets);
  }

  /** The same pod with other annotations. */
  public PodView annotated(Map<String, String> others) {
    return with(accelerators, others, untouchable, budgets);
  }

  /** The same pod, with the disruption budgets that select it; empty if they cannot be read. */
  public PodView selectedBy(Optional<List<BudgetView>> selecting) {
    return with(accelerators, annotations, untouchable, selecting);
  }

  private PodView with(
      Accelerators held,
      Map<String, String> written,
      Optional<String> excludedBecause,
      Optional<List<BudgetView>> selecting) {
    return new PodView(
        ref,
        resourceVersion,
        phase,
        terminating,
        node,
        held,
        owner,
        written,
        priority,
        excludedBecause,
        waiting,
        placement,
        startedAt,
        readyAt,
        startup,
        traits,
        selecting,
        gracePeriod,
        requests);
  }

  /** UIDs of those that hold one replica of a shared device. */
  public static Set<String> sharing(Collection<PodView> pods) {
    Set<String> uids = new HashSet<>();
    for (PodView pod : pods) {
      if (pod.accelerators().shares()) {
        uids.add(pod.ref().uid());
      }
    }
    return uids;
  }

  /** How many whole GPUs it requests. */
  public int gpus() {
    return accelerators.gpus();
  }

  /** Whether it also requests what is not counted at all. */
  public boolean otherAccelerators() {
    return accelerators.hasUncounted();
  }

  /** Whether the pod occupies GPUs of a node now. */
  public boolean holdsGpus() {
    return accelerators.mayBeAny()
        && node.isPresent()
        && (phase == PodPhase.RUNNING || phase == PodPhase.PENDING);
  }

  /** Whether the pod wants GPUs and has no node yet. */
  public boolean awaitsGpus() {
    return accelerators.mayBeAny() && node.isEmpty() && phase == PodPhase.PENDING;
  }

  /** Where a pod is in its life, as Kubernetes says it. */
  public enum PodPhase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN
  }

  /**
   * The scheduler found no node for a pod.
   *
   * @param since when it first said so
   * @param message its words, for example {@code 0/3 nodes are available: 3 Insufficient
   *     nvidia.com/gpu.}
   * @param nominatedNode where the scheduler expects to place it, in most cases because it preempts
   *     other pods there
   * @param ownNominatedNode the nominated node that this program wrote, which promises nothing
   */
  public record Waiting(
      Instant since,
      String message,
      Optional<String> nominatedNode,
      Optional<String> ownNominatedNode) {

    /** Without a nomination of this program. */
    public Waiting(Instant since, String message, Optional<String> nominatedNode) {
      this(since, message, nominatedNode, Optional.empty());
    }

    /** Nowhere expected. */
    public Waiting(Instant since, String message) {
      this(since, message, Optional.empty());
    }
  }

  /**
   * A PodDisruptionBudget of the pod's namespace.
   *
   * @param disruptionsAllowed how many healthy pods may go now
   * @param healthy how many of the pods that it selects are healthy
   * @param desired how many of them have to be
   */
  public record BudgetView(String name, int disruptionsAllowed, int healthy, int desired) {}
}
