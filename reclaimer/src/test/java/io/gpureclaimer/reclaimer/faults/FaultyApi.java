package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable.ObjectUnreadable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One replica's way to the API server, on which anything can happen to a request, and on which the
 * replica can be killed. Confined to the thread of the run.
 */
final class FaultyApi implements Cluster {
  private final Cluster cluster;
  private final Consumer<PodView> beforeEviction;
  private Supplier<Optional<ApiFault>> faults = Optional::empty;
  private Supplier<Watch> watch = () -> Watch.CURRENT;
  private int callsUntilKilled = Integer.MAX_VALUE;
  private boolean killedAfterwards;
  private int calls;
  private Consumer<List<FieldChange>> beforeChange = _ -> {};
  private @Nullable ClusterView lastView;

  /**
   * @param beforeEviction is shown every pod that is about to go, all refusals being past
   */
  FaultyApi(Cluster cluster, Consumer<PodView> beforeEviction) {
    this.cluster = cluster;
    this.beforeEviction = beforeEviction;
  }

  /** The replica's process has ended. Not an exception of the program: nothing may catch it. */
  static final class KilledReplica extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What happens to the next requests, one after the other. */
  void suffer(Supplier<Optional<ApiFault>> each) {
    faults = each;
  }

  /** What the watches of the program know. */
  enum Watch {
    /** What is. */
    CURRENT,
    /** State at the break, which is not detected yet. */
    STALE,
    /** Nothing, and that is known. */
    LOST
  }

  /** Is shown every change of an owner that is about to be made, all refusals being past. */
  void beforeChange(Consumer<List<FieldChange>> witness) {
    beforeChange = witness;
  }

  /** How the watches are at each look. */
  void watch(Supplier<Watch> state) {
    watch = state;
  }

  /** The replica dies at the request of this number from now on, before or after it is served. */
  void killAt(int request, boolean afterwards) {
    callsUntilKilled = request;
    killedAfterwards = afterwards;
  }

  /** How many requests there were. */
  int calls() {
    return calls;
  }

  @Override
  public ClusterView view() {
    Watch state = watch.get();
    if (state == Watch.LOST) {
      throw new ClusterUnreachable("look", "the watches are stale");
    }
    if (state == Watch.STALE && lastView != null) {
      return lastView;
    }
    ClusterView view = cluster.view();
    lastView = view;
    return view;
  }

  @Override
  public Optional<PodView> lastKnown(PodRef pod) {
    return view().pods().stream().filter(each -> each.ref().equals(pod)).findFirst();
  }

  @Override
  public Optional<PodView> fresh(PodRef pod) {
    return request("get pod", () -> cluster.fresh(pod), fault -> nothingOr("get pod", fault));
  }

  @Override
  public Optional<NamespaceView> freshNamespace(String name) {
    return request(
        "get namespace",
        () -> cluster.freshNamespace(name),
        fault -> nothingOr("get namespace", fault));
  }

  @Override
  public ActionResult annotate(PodView pod, Map<String, Optional<String>> changes) {
    return request(
        "patch pod",
        () -> cluster.annotate(pod, changes),
        fault ->
            switch (fault) {
              case NOT_FOUND -> ActionResult.podGone();
              case CONFLICT -> ActionResult.podChanged();
              default -> ActionResult.refused(fault.code(), "so it is");
            });
  }

  @Override
  public ActionResult evict(PodView pod, boolean dryRun) {
    return request(
        "evict pod",
        () -> evictForGood(pod, dryRun),
        fault ->
            switch (fault) {
              case NOT_FOUND -> ActionResult.podGone();
              case CONFLICT -> ActionResult.podChanged("the object has been modified");
              case TOO_MANY -> new ActionResult.Blocked(Optional.empty(), "no room");
              case TOO_MANY_RETRY_AFTER ->
                  new ActionResult.Blocked(Optional.of(Duration.ofSeconds(10)), "no room");
              default -> ActionResult.refused(fault.code(), "so it is");
            });
  }

  @Override
  public ActionResult change(List<FieldChange> changes, String resourceVersion, boolean dryRun) {
    ObjectRef object = changes.getFirst().object();
    return request(
        "patch owner",
        () -> changeForGood(changes, resourceVersion, dryRun),
        fault ->
            switch (fault) {
              case NOT_FOUND -> new ActionResult.Skipped(object + " is gone");
              case CONFLICT -> new ActionResult.Skipped(object + " has been modified");
              case TOO_MANY -> new ActionResult.Blocked(Optional.empty(), "slow down");
              case TOO_MANY_RETRY_AFTER ->
                  new ActionResult.Blocked(Optional.of(Duration.ofSeconds(10)), "slow down");
              default -> ActionResult.refused(fault.code(), "so it is");
            });
  }

  @Override
  public Optional<OwnerView> freshObject(ObjectRef object, Set<String> paths) {
    return request(
        "get owner",
        () -> cluster.freshObject(object, paths),
        fault -> {
          if (fault == ApiFault.NOT_FOUND) {
            return Optional.empty();
          }
          throw new ObjectUnreadable("get owner", "answered " + fault.code());
        });
  }

  @Override
  public RecordResult create(Reclamation record) {
    return request("create record", () -> cluster.create(record), FaultyApi::notStored);
  }

  @Override
  public RecordResult update(Reclamation record) {
    return request("patch record", () -> cluster.update(record), FaultyApi::notStored);
  }

  @Override
  public ActionResult delete(Reclamation record) {
    return request(
        "delete record",
        () -> cluster.delete(record),
        fault -> ActionResult.refused(fault.code(), "so it is"));
  }

  private static RecordResult notStored(ApiFault fault) {
    return new RecordResult.NotStored(ActionResult.refused(fault.code(), "so it is"));
  }

  @Override
  public boolean recordEvent(ObjectRef object, Notice notice) {
    return request("create event", () -> cluster.recordEvent(object, notice), _ -> false);
  }

  private ActionResult changeForGood(
      List<FieldChange> changes, String resourceVersion, boolean dryRun) {
    if (!dryRun && cluster.change(changes, resourceVersion, true) instanceof ActionResult.DryRun) {
      beforeChange.accept(changes);
    }
    return cluster.change(changes, resourceVersion, dryRun);
  }

  private ActionResult evictForGood(PodView pod, boolean dryRun) {
    if (!dryRun && cluster.evict(pod, true) instanceof ActionResult.DryRun) {
      beforeEviction.accept(pod);
    }
    return cluster.evict(pod, dryRun);
  }

  private static <T> Optional<T> nothingOr(String what, ApiFault fault) {
    if (fault == ApiFault.NOT_FOUND) {
      return Optional.empty();
    }
    throw new ClusterUnreachable(what, "answered " + fault.code());
  }

  private <T> T request(String what, Supplier<T> served, Function<ApiFault, T> refused) {
    calls++;
    boolean dies = --callsUntilKilled == 0;
    if (dies && !killedAfterwards) {
      throw new KilledReplica();
    }
    Optional<ApiFault> fault = faults.get();
    T answer;
    if (fault.isEmpty()) {
      answer = served.get();
    } else if (fault.get() == ApiFault.CUT_BEFORE) {
      throw new ClusterUnreachable(what, "connection refused");
    } else if (fault.get() == ApiFault.CUT_AFTER) {
      var _ = served.get();
      throw new ClusterUnreachable(what, "connection reset");
    } else {
      answer = refused.apply(fault.get());
    }
    if (dies) {
      throw new KilledReplica();
    }
    return answer;
  }
}
